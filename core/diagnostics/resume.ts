import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type AccountId, type DiagnosticId, newId } from '@perennial/schemas/platform/ids.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';

/*
 * Ids of a stream's events: the result's id, a signature, and the number of the event. The engine is a pure function
 * of its input, so a client that comes back is answered by doing the work again and leaving out what it has had. The
 * signature binds the id to everything the work depends on: whoever changes any of it begins anew.
 */

/** What a streamed analysis depends on. */
export interface StreamIdentity {
  readonly accountId: AccountId;
  /** The engine's input with what the patient's record gave to it. */
  readonly input: unknown;
  readonly modelVersion: string;
  readonly knowledgeVersion: string;
}

/** Where a stream begins. */
export interface StreamStart {
  /** Id of the result. */
  readonly id: DiagnosticId;
  /** Number of the first event that the client has not had. */
  readonly from: number;
  /** The id of an event by its number. */
  readonly eventId: (number: number) => string;
}

const EVENT_ID = /^(diag_[0-9A-Za-z]{20})\.([\w-]{22})\.(\d{1,6})$/;
const SIGNATURE_CHARACTERS = 22;

/** Where to begin: after the event that the client names, or anew where it names none of this very analysis. */
export function startOf(secret: SharedSecret, identity: StreamIdentity, lastEventId: string | undefined): StreamStart {
  const state = createHash('sha256').update(JSON.stringify(identity)).digest('base64url');
  const signWith = (key: string, id: string): string =>
    createHmac('sha256', key)
      .update(`diagnostics.stream\n${state}\n${id}`)
      .digest('base64url')
      .slice(0, SIGNATURE_CHARACTERS);
  const [, known = '', signature = '', number = ''] = EVENT_ID.exec(lastEventId ?? '') ?? [];
  const { current, previous } = secret;
  const isSigned = (key: string | undefined): boolean =>
    key !== undefined && timingSafeEqual(Buffer.from(signWith(key, known)), Buffer.from(signature));
  const isOurs = known !== '' && (isSigned(current) || isSigned(previous));
  const id = isOurs ? (known as DiagnosticId) : newId('diag');
  const signed = signWith(current, id);
  return { id, from: isOurs ? Number(number) + 1 : 0, eventId: (each) => `${id}.${signed}.${each}` };
}
