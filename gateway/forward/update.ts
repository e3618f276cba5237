import type { Operation } from '@perennial/schemas/operation.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { isNullable, isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Cancellation } from '../client-disconnect.ts';
import type { Exchange } from '../exchange.ts';
import type { CoreAnswer, CoreClient } from './core-client.ts';
import { coreTarget } from './core-request.ts';
import type { Wire } from './wire.ts';

/** One write to an object that exists. */
export interface UpdateRequest {
  readonly core: CoreClient;
  readonly wire: Wire;
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
  const { core, wire, translator, exchange, plan, body: given, signal } = update;
  const { update: kind } = plan.head;
  if (!kind) throw new Error(`${plan.head.id} is not an update`);
  const patchOperation = headOperation(translator, kind.patch);
  // A service that has no patch is sent the whole object again, with what the older version cannot see as it was.
  const isWhole = patchOperation.update?.mode === 'replace';
  const { resources } = translator.contract(translator.headRelease);
  const stored = { $ref: parseRef(patchOperation.body?.ref ?? '').resource };
  const send = (body: unknown, ifMatch: string | undefined): Promise<CoreAnswer> =>
    core.fetch({
      caller: exchange.caller,
      method: patchOperation.method,
      path: coreTarget(patchOperation, exchange.parameters, update.queryText),
      headers: {
        ...update.headers,
        'content-type': patchOperation.body?.mediaType ?? 'application/merge-patch+json',
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      body: JSON.stringify(body),
      signal,
      // A replacement stays one, though it is sent as a patch: it says of each member what it is to be.
      ...(kind.mode === 'replace' && { repeatable: true }),
    });

  const patch = plan.update(given, kind.mode, undefined);
  if (!isWhole && patch !== 'needs-prior' && Object.keys(patch).length > 0)
    return send(patch, update.headers['if-match']);

  for (let attempt = 1; ; attempt++) {
    const { answer, prior, etag } = await readPrior(update, kind.read);
    if (isWhole && answer.status === 404) return send(plan.body(given), update.headers['if-match']);
    if (prior === undefined) return answer;
    if (!wire.holds(update.headers['if-match'], etag)) throw new Fault('precondition_failed');
    // The body changes nothing that exists at head: the object as it is is the answer.
    if (!isWhole && patch !== 'needs-prior') return answer;
    const written = plan.update(given, kind.mode, prior);
    if (written === 'needs-prior') throw new Error(`${plan.head.id} asks again for what it was given`);
    const result = await send(isWhole ? mergePatch(prior, written, stored, resources) : written, etag);
    if (result.status !== 412) return result;
    if (update.headers['if-match'] !== undefined) return result;
    if (attempt === TRIES) throw new Fault('conflict');
  }
}

async function readPrior(
  update: UpdateRequest,
  readId: string,
): Promise<{ readonly answer: CoreAnswer; readonly prior?: JsonObject; readonly etag?: string | undefined }> {
  const { core, wire, translator, exchange, headers, signal } = update;
  const answer = await core.fetch({
    caller: exchange.caller,
    method: 'GET',
    path: coreTarget(headOperation(translator, readId), exchange.parameters, update.queryText),
    headers: wire.priorHeaders(headers),
    signal,
  });
  wire.check(headOperation(translator, readId), answer.status, answer.headers, 'GET');
  // What cannot be read cannot be written: the service's own answer says why.
  if (answer.status !== 200) return { answer };
  const { value, etag } = wire.prior(answer);
  return { answer, prior: value, etag };
}

/**
 * What an object becomes by a merge patch (RFC 7396), but that null is a value where the schema has it as one: whoever
 * writes the whole says of every member what it is to be.
 */
function mergePatch(
  target: unknown,
  patch: unknown,
  given: JsonSchema,
  resources: ReadonlyMap<string, JsonSchema>,
): unknown {
  if (!isObject(patch)) return patch;
  const schema = objectOf(given, resources);
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    const member = schema?.properties?.[name] ?? {};
    if (value === null && !isNullable(member)) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value, member, resources));
  }
  return Object.fromEntries(merged);
}

/** The object that a schema is, refers to, or allows beside null. */
function objectOf(schema: JsonSchema, resources: ReadonlyMap<string, JsonSchema>): JsonSchema | undefined {
  if (schema.$ref !== undefined) return resources.get(schema.$ref);
  const other = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  return other ? objectOf(other, resources) : schema;
}

function headOperation(translator: Translator, id: string): Operation {
  const operation = translator.catalogue.contracts.at(-1)?.operations.find((each) => each.id === id);
  if (!operation) throw new Error(`no operation has the id ${id}`);
  return operation;
}
