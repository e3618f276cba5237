import type { Operation } from '@perennial/schemas/operation.ts';
import { parseETags } from '@perennial/schemas/platform/etag.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Cancellation } from '../departure.ts';
import { type Exchange, known } from '../exchange.ts';
import { checkAnswer } from './answer.ts';
import type { CoreAnswer, CoreClient } from './core-client.ts';
import { coreTarget } from './core-request.ts';
import { readEnvelope } from './envelope.ts';

/** One write to an object that exists. */
export interface UpdateRequest {
  readonly core: CoreClient;
  readonly translator: Translator;
  readonly exchange: Exchange;
  readonly plan: Plan;
  /** The query at head, with its question mark, or nothing. */
  readonly queryText: string;
  /** Valid in the client's version. */
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: Cancellation;
}

const TRIES = 3;

/**
 * Sends an older version's PUT or PATCH as a merge patch of what that version can see, so that the rest stays. When
 * a change needs the stored value, it is read, overlaid and written with If-Match, three times at most.
 * @throws {Fault} conflict when others kept writing in between, precondition_failed when the client's own If-Match
 * does not hold.
 */
export async function sendUpdate(update: UpdateRequest): Promise<CoreAnswer> {
  const { core, translator, exchange, plan, body, signal } = update;
  const { update: kind } = plan.head;
  if (!kind) throw new Error(`${plan.head.id} is not an update`);
  const patchOperation = headOperation(translator, kind.patch);
  const send = (patch: JsonObject, ifMatch: string | undefined): Promise<CoreAnswer> =>
    core.fetch({
      caller: known(exchange.caller, 'caller'),
      method: patchOperation.method,
      path: coreTarget(patchOperation, exchange.parameters, update.queryText),
      headers: {
        ...update.headers,
        'content-type': patchOperation.body?.mediaType ?? 'application/merge-patch+json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: JSON.stringify(patch),
      signal,
      // A replacement stays one, though it is sent as a patch: it says of each member what it is to be.
      ...(kind.mode === 'replace' && { repeatable: true }),
    });

  const patch = plan.update(body, kind.mode, undefined);
  if (patch !== 'needs-prior' && Object.keys(patch).length > 0) return send(patch, update.headers['if-match']);

  for (let attempt = 1; ; attempt++) {
    const { answer, prior, etag } = await readPrior(update, kind.read);
    if (prior === undefined) return answer;
    if (!holds(update.headers['if-match'], etag)) throw new Fault('precondition_failed');
    // The body changes nothing that exists at head: the object as it is is the answer.
    if (patch !== 'needs-prior') return answer;
    const written = plan.update(body, kind.mode, prior);
    if (written === 'needs-prior') throw new Error(`${plan.head.id} asks again for what it was given`);
    const result = await send(written, etag);
    if (result.status !== 412) return result;
    if (update.headers['if-match'] !== undefined) return result;
    if (attempt === TRIES) throw new Fault('conflict');
  }
}

async function readPrior(
  update: UpdateRequest,
  readId: string,
): Promise<{ readonly answer: CoreAnswer; readonly prior?: JsonObject; readonly etag?: string }> {
  const { core, translator, exchange, headers, signal } = update;
  const { 'x-request-id': requestId } = headers;
  const answer = await core.fetch({
    caller: known(exchange.caller, 'caller'),
    method: 'GET',
    path: coreTarget(headOperation(translator, readId), exchange.parameters, update.queryText),
    headers: requestId ? { 'x-request-id': requestId } : {},
    signal,
  });
  checkAnswer(headOperation(translator, readId), answer.status, answer.headers, 'GET');
  // What cannot be read cannot be written: core's own answer says why.
  if (answer.status !== 200) return { answer };
  const etag = answer.headers['etag'];
  if (typeof etag !== 'string') throw new Fault('core_failed', { cause: new Error('core sent no ETag') });
  return { answer, prior: readEnvelope(answer).data as JsonObject, etag };
}

/** Whether the client's own If-Match holds for what is stored; revisions are compared, from any version. */
function holds(ifMatch: string | undefined, etag: string | undefined): boolean {
  if (ifMatch === undefined || etag === undefined) return true;
  const wanted = parseETags(ifMatch);
  const stored = parseETags(etag);
  if (wanted === 'any') return true;
  return stored !== 'any' && wanted.some(({ revision }) => revision === stored[0]?.revision);
}

function headOperation(translator: Translator, id: string): Operation {
  const operation = translator.catalogue.contracts.at(-1)?.operations.find((each) => each.id === id);
  if (!operation) throw new Error(`no operation has the id ${id}`);
  return operation;
}
