import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';
import { HEAD_RELEASE_HEADER, IDEMPOTENCY_HOURS_MIN } from '@perennial/schemas/idempotency.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import { holdsImaging, type Visibility, visibilityOf } from '../../visibility.ts';
import type { AnyOutcome } from '../http/handler.ts';
import { jsonValue } from '../json-text.ts';
import { asUnit } from '../unit-of-work.ts';
import { Payload, type PayloadParts } from './payload.ts';
import { IdempotencyStore, type KeptAnswer, type KeyOwner } from './store.ts';

/** A request that carries a key. Everything has been checked against the contract. */
export interface KeyedRequest {
  readonly key: string;
  readonly operation: Operation;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** Undefined when there is none, or the handler reads it itself. */
  readonly body: unknown;
}

/** One request, as the store looks it up. */
interface Asked extends KeyOwner {
  readonly operation: Operation;
  readonly path: string;
  readonly payload: Payload;
  readonly visibility: Visibility;
  /** Parameters and body. Patients named in them are those whom the kept answer is about. */
  readonly about: readonly unknown[];
}

/** How a request is carried out. */
type Manner =
  /** In one transaction with the record of its key. */
  | 'write'
  /** The same, but the transaction begins when the handler, which reads the body itself, begins its own. */
  | 'streamed write'
  /** Changes nothing: carried out on its own, and the first answer is kept. */
  | 'read';

const HOUR_MS = 3_600_000;
const RETRY_AFTER_SECONDS = '1';
const PATIENT_ID = /^pat_[0-9A-Za-z]{8,64}$/;

/** There is an answer already. Thrown through the handler, which has nothing more to do. */
class AlreadyAnswered extends Error {
  override readonly name = 'AlreadyAnswered';
  readonly outcome: AnyOutcome;

  constructor(outcome: AnyOutcome) {
    super('the request was answered before');
    this.outcome = outcome;
  }
}

/**
 * Carries out requests with an Idempotency-Key once (IETF draft-ietf-httpapi-idempotency-key-header): the answer is kept
 * in the transaction of the write itself, and given again to whoever repeats the request.
 */
export class Idempotency {
  readonly #database: Database;
  readonly #headRelease: string;
  readonly #keepMs: number;

  /** @param database joins units of work, and is the one that handlers write to. */
  constructor(database: Database, headRelease: string, keepHours: number = IDEMPOTENCY_HOURS_MIN) {
    this.#database = database;
    this.#headRelease = headRelease;
    this.#keepMs = keepHours * HOUR_MS;
  }

  /**
   * The outcome of the work, or of the same request before it. What the work throws is not kept: a request that was
   * refused or failed can be sent again.
   * @throws Fault `idempotency_in_flight`, `idempotency_key_reused`, `idempotency_answer_erased`, and what the work throws.
   */
  async once(request: KeyedRequest, work: (payload: PayloadParts) => Promise<AnyOutcome>): Promise<AnyOutcome> {
    const { operation } = request;
    const asked = toAsked(request);
    const { payload } = asked;
    const manner = mannerOf(operation);
    try {
      if (manner === 'read') return await this.#read(asked, () => work(payload));
      const bounds = {
        opens: manner === 'write' ? 'early' : 'late',
        begin: async (transaction: DatabaseTransaction) => {
          if (manner === 'streamed write' && payload.parts === 0)
            throw new Error(`${operation.id} reads its body and does not say what was in it`);
          const store = new IdempotencyStore(transaction);
          if (!(await store.lock(asked, false)))
            throw new Fault('idempotency_in_flight', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
          await this.#refuseRepeated(store, asked);
        },
        end: (transaction: DatabaseTransaction, outcome: AnyOutcome) =>
          this.#keep(new IdempotencyStore(transaction), asked, outcome),
      } as const;
      return await asUnit(this.#database, bounds, () => work(payload));
    } catch (error) {
      if (error instanceof AlreadyAnswered) return error.outcome;
      throw error;
    }
  }

  /** Removes what has expired, and what was left over when its patient was erased. @returns how many answers. */
  async sweep(now: Date = new Date()): Promise<number> {
    const store = new IdempotencyStore(this.#database);
    return (await store.removeExpired(now)) + (await store.eraseLeftOver());
  }

  async #read(asked: Asked, work: () => Promise<AnyOutcome>): Promise<AnyOutcome> {
    await this.#refuseRepeated(new IdempotencyStore(this.#database), asked);
    const outcome = await work();
    await this.#database.$transaction(async (transaction) => {
      const store = new IdempotencyStore(transaction);
      await store.lock(asked, true);
      await this.#refuseRepeated(store, asked);
      await this.#keep(store, asked, outcome);
    });
    return outcome;
  }

  /** @throws AlreadyAnswered, or Fault when the key was used for something else. */
  async #refuseRepeated(store: IdempotencyStore, asked: Asked): Promise<void> {
    const kept = await store.find(asked, new Date());
    if (!kept) return;
    if (kept.erasedAt) throw new Fault('idempotency_answer_erased');
    if (!this.#isSame(kept, asked)) throw new Fault('idempotency_key_reused');
    // What was written is not visible to this caller, so the request cannot be the same one.
    if (!asked.visibility.imaging && holdsImaging(kept.data)) throw new Fault('idempotency_key_reused');
    throw new AlreadyAnswered(this.#repeated(kept));
  }

  /**
   * What was sent when another release was head was hashed in that release's shape, which nobody here can make again.
   * A client that was cut off by the very deployment must not be told that it sent something else.
   */
  #isSame(kept: KeptAnswer, { operation, path, payload }: Asked): boolean {
    if (kept.method !== operation.method || kept.path !== path) return false;
    return kept.headRelease !== this.#headRelease || kept.payloadHash === payload.digest();
  }

  #repeated(kept: KeptAnswer): AnyOutcome {
    const { data, status, headers, revision, headRelease } = kept;
    return {
      status,
      headers: {
        ...headers,
        'idempotency-replayed': 'true',
        ...(headRelease === this.#headRelease ? {} : { [HEAD_RELEASE_HEADER]: headRelease }),
      },
      ...(data === undefined ? {} : { data }),
      ...(revision === null ? {} : { revision }),
    };
  }

  async #keep(store: IdempotencyStore, asked: Asked, outcome: AnyOutcome): Promise<void> {
    const { operation, path, payload, about } = asked;
    const { repeatedData, revision, headers = {}, status = operation.response.status } = outcome;
    const data = jsonValue(repeatedData ?? outcome.data);
    // A refused request can be corrected and sent again with the same key.
    if (status >= 400) return;
    const now = new Date();
    const answer = {
      method: operation.method,
      path,
      payloadHash: payload.digest(),
      headRelease: this.#headRelease,
      status,
      headers,
      revision: revision ?? null,
      data,
      patientIds: patientIdsIn([...about, data]),
      expiresAt: new Date(now.getTime() + this.#keepMs),
    };
    await store.keep(asked, answer, now);
  }
}

function toAsked({ key, operation, caller, params, query, body }: KeyedRequest): Asked {
  const { accountId } = caller;
  const { method } = operation;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const views = new Set(operation.parameters.filter(({ isView }) => isView).map(({ name }) => name));
  const asked = Object.fromEntries(Object.entries(query).filter(([name]) => !views.has(name)));
  const payload = new Payload({ accountId, method, path, query: asked });
  if (body !== undefined) payload.add(body);
  return {
    accountId,
    key,
    operation,
    path,
    payload,
    visibility: visibilityOf(operation, query),
    about: [params, query, body],
  };
}

function mannerOf({ scope, body }: Operation): Manner {
  if (scope.endsWith(':read')) return 'read';
  const isWhole = body === undefined || (body.mediaType === 'application/json' && body.elements === undefined);
  return isWhole ? 'write' : 'streamed write';
}

/** Identifiers of patients anywhere in JSON. Its depth is bounded: that of requests by their limit, answers by their schema. */
function patientIdsIn(json: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (PATIENT_ID.test(value)) found.add(value);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value)) Object.values(value).forEach(visit);
  };
  visit(json);
  return [...found];
}
