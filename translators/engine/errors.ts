import { documentationUrl, type ErrorCode } from '@perennial/schemas/errors.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { Catalogue } from './catalogue.ts';
import type { OlderSuccess, OperationEdit } from './change.ts';
import { compile } from './compile.ts';
import { TranslationFailed } from './failures.ts';
import { runsBetween } from './run.ts';
import type { Step } from './step.ts';

/** An error as an older version writes it. */
export interface OlderError {
  readonly error: JsonObject;
  /** Where the older version answered another status. */
  readonly status: number | undefined;
  /** Set where the older version answered a success in its place. `data` is absent where that had no body. */
  readonly success?: { readonly status: OlderSuccess; readonly data?: unknown };
}

/**
 * Prepares the shape and the codes of errors at a level. Pointers are the plan's: they depend on the operation.
 * @param operation its own errors as well; without it, those that every operation has.
 */
export function errorTranslator(
  catalogue: Catalogue,
  level: number,
  operation?: string,
): (error: ErrorBody) => OlderError {
  const down = [...runsBetween(catalogue, level, catalogue.steps.length, 'ErrorBody')]
    .reverse()
    .map((run) => compile(catalogue, run, 'ErrorBody', 'down'));
  const edits = catalogue.steps
    .slice(level)
    .reverse()
    .flatMap((step) =>
      step.operationEdits.filter((edit) => isAboutErrors(edit, operation)).map((edit) => ({ edit, step })),
    );
  // What one version answered in the place of an error, the versions before it had in their own shape.
  const bodies = new Map<Step, (data: unknown) => unknown>();
  const bodyAt = (step: Step): ((data: unknown) => unknown) => {
    let translate = bodies.get(step);
    if (!translate) {
      const at = catalogue.steps.indexOf(step);
      const ref = catalogue.contracts[at]?.operations.find(({ id }) => id === operation)?.response.ref;
      const runs = ref === undefined ? [] : runsBetween(catalogue, level, at, ref);
      const parts = runs.map((run) => compile(catalogue, run, ref as string, 'down'));
      translate = (data) => parts.reduceRight((body, part) => part(body), data);
      bodies.set(step, translate);
    }
    return translate;
  };
  return (error) => {
    let code: string = error.code;
    let own: string | undefined;
    let status: number | undefined;
    let success: OlderError['success'];
    for (const { edit, step } of edits) {
      if (edit.newer !== code || success) continue;
      if (edit.kind === 'error-code') {
        code = edit.older;
        status = edit.olderStatus ?? status;
      } else if ('code' in edit.older) {
        code = edit.older.code;
        own = code;
        status = edit.older.status ?? status;
      } else {
        const { status: answered, data } = edit.older;
        success = { status: answered, ...(data && { data: bodyAt(step)(guarded(step, () => data(error))) }) };
      }
    }
    // The code itself is a member of every error, and translated with the others.
    const linked = code === error.code ? error : { ...error, documentation_url: documentationUrl(code as ErrorCode) };
    const older = down.reduce<unknown>((value, translate) => translate(value), linked) as JsonObject;
    // What only this operation calls so, no change of the error's own shape knows.
    const named = own === undefined ? older : { ...older, code };
    return { error: named, status, ...(success && { success }) };
  };
}

function guarded<T>({ name }: Step, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw new TranslationFailed(name, error);
  }
}

/** The same for every operation: most have no errors of their own, and share one translator. */
export function errorsAt(catalogue: Catalogue, level: number): (operation: string, error: ErrorBody) => OlderError {
  const shared = errorTranslator(catalogue, level);
  const own = new Map<string, (error: ErrorBody) => OlderError>();
  for (const edit of catalogue.steps.slice(level).flatMap(({ operationEdits }) => operationEdits))
    if (edit.kind === 'operation-error') own.set(edit.operation, errorTranslator(catalogue, level, edit.operation));
  return (operation, error) => (own.get(operation) ?? shared)(error);
}

/** The edits that say what is answered in an error's place. */
function isAboutErrors(
  edit: OperationEdit,
  operation: string | undefined,
): edit is Extract<OperationEdit, { kind: 'error-code' | 'operation-error' }> {
  return edit.kind === 'error-code' || (edit.kind === 'operation-error' && edit.operation === operation);
}
