import { documentationUrl, type ErrorCode } from '@perennial/schemas/errors.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { Catalogue } from './catalogue.ts';
import { compile } from './compile.ts';
import { runsBetween } from './run.ts';

/** An error as an older version writes it. */
export interface OlderError {
  readonly error: JsonObject;
  /** Where the older version answered another status. */
  readonly status: number | undefined;
}

/** Prepares the shape and the codes of errors at a level. Pointers are the plan's: they depend on the operation. */
export function errorTranslator(catalogue: Catalogue, level: number): (error: ErrorBody) => OlderError {
  const down = [...runsBetween(catalogue, level, catalogue.steps.length, 'ErrorBody')]
    .reverse()
    .map((run) => compile(catalogue, run, 'ErrorBody', 'down'));
  const renames = catalogue.steps
    .slice(level)
    .reverse()
    .flatMap((step) => step.operationEdits.filter((edit) => edit.kind === 'error-code'));
  return (error) => {
    let code: string = error.code;
    let status: number | undefined;
    for (const rename of renames)
      if (rename.newer === code) {
        code = rename.older;
        status = rename.olderStatus ?? status;
      }
    // The code itself is a member of every error, and translated with the others.
    const linked = code === error.code ? error : { ...error, documentation_url: documentationUrl(code as ErrorCode) };
    const older = down.reduce<unknown>((value, translate) => translate(value), linked);
    return { error: older as JsonObject, status };
  };
}

/** Whether errors differ at a level at all. */
export function touchesErrors(catalogue: Catalogue, level: number): boolean {
  return (
    runsBetween(catalogue, level, catalogue.steps.length, 'ErrorBody').length > 0 ||
    catalogue.steps.slice(level).some((step) => step.operationEdits.some((edit) => edit.kind === 'error-code'))
  );
}
