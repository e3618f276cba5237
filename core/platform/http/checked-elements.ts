import type { IncomingMessage } from 'node:http';
import { details } from '@perennial/schemas/errors.ts';
import type { BodyElements, Operation } from '@perennial/schemas/operation.ts';
import {
  CHECKED_ELEMENTS_HEADER,
  type ElementLimits,
  readElements,
} from '@perennial/schemas/platform/http/elements.ts';
import { errorBody, Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody, ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { faultAt, type Validator } from '@perennial/schemas/validation.ts';

/** An element may grow by this factor when it is translated. */
const TRANSLATED_ROOM = 4;

/** One element of a body, checked against the contract. */
export type CheckedElement =
  | { readonly index: number; readonly value: JsonObject }
  /** Why it is not valid. `translated`: the fault is in the translated form, not in what the client sent. */
  | { readonly index: number; readonly error: ErrorBody; readonly translated: boolean; readonly action: string | null };

/** A body of elements, as a handler reads it. */
export interface CheckedElements {
  /** @throws Fault with what is wrong with the body as a whole. */
  readonly elements: AsyncIterable<CheckedElement>;
  /** The members beside the list, valid, once all elements have been read. */
  members(): JsonObject;
}

/** Reads the body of an operation that takes elements. @throws Fault for what its headers say already. */
export function readCheckedElements(
  request: IncomingMessage,
  operation: Operation,
  elements: BodyElements,
  validator: Validator,
  limits: ElementLimits,
): CheckedElements {
  const translated = request.headers[CHECKED_ELEMENTS_HEADER] === 'true';
  // The limits apply to what a client sends; a translated element may be longer.
  const room = translated ? TRANSLATED_ROOM : 1;
  const body = readElements(
    request,
    { ...elements, bytesMax: elements.bytesMax * room },
    { ...limits, bodyBytesMax: limits.bodyBytesMax * room },
  );
  let members: JsonObject = {};
  const checked = async function* (): AsyncGenerator<CheckedElement> {
    let count = 0;
    for await (const { index, value, faults } of body.elements) {
      count += 1;
      const refused = translated ? refusalIn(value) : undefined;
      if (refused) {
        yield { index, translated: false, ...refused };
        continue;
      }
      const found = faults.length > 0 ? faults : validator.body(elements.ref, value);
      if (found.length === 0) yield { index, value: value as JsonObject };
      else yield { index, error: refusal(elements, index, found), translated, action: actionOf(value) };
    }
    members = body.members() as JsonObject;
    const ref = operation.body?.ref as string;
    const wrong = validator.body(ref, { ...members, [elements.member]: [] }).filter(isBeside(elements.member));
    if (wrong.length > 0) throw invalid(wrong);
    if (count === 0) throw invalid([faultAt(`/${elements.member}`, 'too_few')]);
  };
  return { elements: checked(), members: () => members };
}

/** The error of an element that is not valid. */
function refusal({ member }: BodyElements, index: number, faults: readonly ErrorDetail[]): ErrorBody {
  const placed = faults.map((fault) => ({ ...fault, pointer: `/${member}/${index}${fault.pointer ?? ''}` }));
  return errorBody(new Fault('validation_failed', { details: placed }));
}

/** The gateway's error for an element that is invalid in the client's own version. */
function refusalIn(value: unknown): { readonly error: ErrorBody; readonly action: string | null } | undefined {
  if (!isObject(value) || !isObject(value['refused'])) return undefined;
  return { error: value['refused'] as unknown as ErrorBody, action: actionOf(value) };
}

function actionOf(value: unknown): string | null {
  return isObject(value) && typeof value['action'] === 'string' ? value['action'] : null;
}

function isBeside(member: string): (fault: ErrorDetail) => boolean {
  return ({ pointer }) => pointer !== `/${member}` && !pointer?.startsWith(`/${member}/`);
}

/** The fault of a member that is given in two places. */
export function saidTwice(parameter: string): Fault {
  return invalid([{ code: 'not_both', message: details.not_both, parameter }]);
}
