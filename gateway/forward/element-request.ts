import { Readable } from 'node:stream';
import { type BodyElements, NDJSON, type Operation } from '@perennial/schemas/operation.ts';
import {
  CHECKED_ELEMENTS_HEADER,
  type Element,
  type ElementBody,
  readElements,
} from '@perennial/schemas/platform/http/elements.ts';
import { errorBody, Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { Validator } from '@perennial/schemas/validation.ts';
import type { ElementUp } from '@perennial/translators/engine/element.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Request } from 'express';
import type { Cancellation } from '../client-disconnect.ts';
import { checkAnswer } from './answer.ts';
import type { CoreClient } from './core-client.ts';
import { coreTarget } from './core-request.ts';
import { readEnvelope } from './envelope.ts';

/** What the bodies of many elements are rewritten with. */
export interface ElementRequestOptions {
  readonly core: CoreClient;
  readonly translator: Translator;
  /** Largest body, before and after decompression. */
  readonly bodyBytesMax: number;
  /** Most objects and arrays inside each other, in one element. */
  readonly bodyDepthMax: number;
}

/** A body of elements on its way to core. */
export interface ElementRequest {
  /** Headers that describe the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
  /** Why the body ended early; reported instead of the failure that this causes in the exchange with core. */
  failure(): unknown;
}

/** Bytes that are collected before they are passed on. */
const CHUNK_CHARACTERS = 65_536;

/**
 * The client's body at head, element by element: memory holds one element and one chunk, and the client waits while
 * core does. An element that is not valid in the client's version is passed on as what is wrong with it, in its names;
 * a body that is wrong as a whole breaks off, and leaves nothing behind.
 * @param queryText at head. @param headers of the request to core.
 * @throws {Fault} for what the request’s headers say already.
 */
export function createElementRequest(
  options: ElementRequestOptions,
  request: Request,
  plan: Plan,
  caller: Caller,
  queryText: string,
  headers: Readonly<Record<string, string>>,
  signal: Cancellation,
): ElementRequest {
  const elements = plan.operation.body?.elements;
  if (!elements || !plan.element) throw new Error(`${plan.head.id} takes no elements`);
  const source = readElements(request, elements, options);
  const rewrite = createRewrite(options, plan, elements, plan.element, { caller, queryText, headers, signal });
  let failure: unknown;
  const text = async function* (): AsyncGenerator<string> {
    try {
      yield* source.mediaType === NDJSON
        ? asLines(source, rewrite)
        : asObject(source, elements, plan, options, rewrite);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return {
    headers: { 'content-type': source.mediaType, [CHECKED_ELEMENTS_HEADER]: 'true' },
    body: Readable.from(chunks(text()), { objectMode: false }),
    failure: () => failure,
  };
}

/** What else core is told when it is asked on the way. */
interface Asking {
  readonly caller: Caller;
  readonly queryText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: Cancellation;
}

type Rewrite = (element: Element) => Promise<JsonObject>;

async function* asLines(source: ElementBody, rewrite: Rewrite): AsyncGenerator<string> {
  for await (const element of source.elements) yield `${JSON.stringify(await rewrite(element))}\n`;
}

async function* asObject(
  source: ElementBody,
  { member }: BodyElements,
  plan: Plan,
  { translator }: ElementRequestOptions,
  rewrite: Rewrite,
): AsyncGenerator<string> {
  yield `{${JSON.stringify(member)}:[`;
  let separator = '';
  for await (const element of source.elements) {
    yield separator + JSON.stringify(await rewrite(element));
    separator = ',';
  }
  const members = source.members();
  const faults = translator
    .validator(plan.release)
    .body(plan.operation.body?.ref as string, { ...members, [member]: [] })
    .filter(({ pointer }) => pointer !== `/${member}`);
  if (faults.length > 0) throw invalid(faults);
  const rest = JSON.stringify(members).slice(1);
  yield rest === '}' ? ']}' : `],${rest}`;
}

async function* chunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const text of texts) {
    held += text;
    if (held.length < CHUNK_CHARACTERS) continue;
    yield held;
    held = '';
  }
  if (held !== '') yield held;
}

function createRewrite(
  options: ElementRequestOptions,
  plan: Plan,
  elements: BodyElements,
  compiled: ElementUp,
  asking: Asking,
): Rewrite {
  const validator: Validator = options.translator.validator(plan.release);
  const { prior } = plan.head.body?.elements ?? {};
  const readPrior = prior && createReadPrior(options, prior, asking);
  return async ({ index, value, faults }) => {
    const found = faults.length > 0 ? faults : validator.body(elements.ref, value);
    if (found.length > 0) return refused(value, invalid(placed(found, elements.member, index)));
    const { element, patch } = compiled.up(value as JsonObject, undefined);
    if (!patch || patch.state === 'whole') return element;
    if (!prior || !readPrior) throw new Error(`${plan.head.id} does not say how what is stored is read`);
    const id = element[prior.id];
    // A patch whose members do not exist at head changes nothing. The object's own id is allowed and ignored.
    const unchanged = { ...element, [patch.member]: { id } };
    if (patch.state === 'empty') return unchanged;
    const stored = await readPrior(String(id));
    if (stored === 'missing') return unchanged;
    if (stored instanceof Fault) return refused(value, stored);
    const overlaid = compiled.up(value as JsonObject, stored.object);
    return {
      ...(overlaid.patch?.state === 'whole' ? overlaid.element : unchanged),
      // Written only if the object is still in the state that was read: a write in between is not undone.
      [prior.condition]: element[prior.condition] ?? stored.etag,
    };
  };
}

/** Sent to core in place of an element that is invalid in the client's version. */
function refused(value: unknown, fault: Fault): JsonObject {
  const action = isObject(value) && typeof value['action'] === 'string' ? value['action'] : null;
  return { action, refused: errorBody(fault) };
}

function placed(faults: readonly ErrorDetail[], member: string, index: number): readonly ErrorDetail[] {
  return faults.map((fault) => ({ ...fault, pointer: `/${member}/${index}${fault.pointer ?? ''}` }));
}

type ReadPrior = (id: string) => Promise<{ readonly object: JsonObject; readonly etag: string } | 'missing' | Fault>;

/** Reads the stored object that a patch is laid over. */
function createReadPrior(
  { core, translator }: ElementRequestOptions,
  prior: NonNullable<BodyElements['prior']>,
  { caller, queryText, headers, signal }: Asking,
): ReadPrior {
  const read = translator.catalogue.contracts.at(-1)?.operations.find(({ id }) => id === prior.read) as Operation;
  const { 'x-request-id': requestId } = headers;
  return async (id) => {
    const answer = await core.fetch({
      caller,
      method: 'GET',
      path: coreTarget(read, { [prior.parameter]: id }, queryText),
      headers: requestId ? { 'x-request-id': requestId } : {},
      signal,
    });
    if (answer.status === 404) return 'missing';
    // A key that may write and not read: the other version's patch cannot be understood without reading.
    if (answer.status === 403) return new Fault('scope_missing');
    checkAnswer(read, answer.status, answer.headers, 'GET');
    const etag = answer.headers['etag'];
    if (answer.status !== 200 || typeof etag !== 'string')
      throw new Fault('core_failed', { cause: new Error(`core answered status ${answer.status} to a read`) });
    return { object: readEnvelope(answer).data as JsonObject, etag };
  };
}
