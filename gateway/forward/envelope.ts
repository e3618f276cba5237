import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorBody } from '@perennial/schemas/resources/error-body.ts';
import type { CoreAnswer } from './core-client.ts';

/** A parsed answer of core. */
export interface CoreEnvelope {
  readonly requestId: unknown;
  readonly timestamp: unknown;
  readonly meta: JsonObject;
  /** Of a success. */
  readonly data?: unknown;
  /** Of a failure. */
  readonly error?: ErrorBody;
}

/**
 * Reads an answer of core.
 * @throws {Fault} core_failed when it is not an envelope with `data`, or with `error` where the status says so.
 */
export function readEnvelope(answer: CoreAnswer): CoreEnvelope {
  let body: unknown;
  try {
    body = JSON.parse(answer.body.toString('utf8'));
  } catch {
    // The parser's message quotes the text: it is not kept.
    throw nonsense('the answer is not JSON');
  }
  if (!isObject(body) || !isObject(body['meta'])) throw nonsense('the answer is not an envelope');
  if (answer.status < 400 && body['data'] === undefined) throw nonsense('the answer has no data');
  if (answer.status >= 400 && !(isObject(body['error']) && typeof body['error']['code'] === 'string'))
    throw nonsense('the failure has no error');
  return body as unknown as CoreEnvelope;
}

/** Writes an envelope of core again, in another version. */
export function writeEnvelope(
  envelope: CoreEnvelope,
  semver: string,
  member: 'data' | 'error',
  value: unknown,
): Buffer {
  const { requestId, timestamp, meta } = envelope;
  return Buffer.from(
    JSON.stringify({ requestId, timestamp, meta: { ...meta, version: semver }, [member]: value }),
    'utf8',
  );
}

/** What stands before the value in an envelope of core's, in another version. */
export function envelopeHead({ requestId, timestamp, meta }: CoreEnvelope, semver: string): string {
  return JSON.stringify({ requestId, timestamp, meta: { ...meta, version: semver } }).slice(0, -1);
}

function nonsense(what: string): Fault {
  return new Fault('core_failed', { cause: new Error(what) });
}
