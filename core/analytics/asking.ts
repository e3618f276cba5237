import type { Database } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { AccountId, CohortId } from '@perennial/schemas/platform/ids.ts';
import type { PopulationSummary } from '@perennial/schemas/resources/analytics.ts';
import { type MonthNumber, monthAt } from './calendar.ts';
import { byMask, cellsOf, masksOf } from './cells.ts';
import { CohortService } from './cohort-service.ts';
import { everybody, type Selection, selectionOf } from './criteria.ts';
import { disclosureControl, Rounding } from './disclosure.ts';
import { Gate } from './gate.ts';
import { holds, prune } from './prune.ts';
import { isStatementTimeout } from './statement-timeout.ts';
import { type AnalyticsStore, ask, type Look, STATEMENT_TIMEOUT_MS } from './store.ts';
import type { Who } from './who.ts';

/** Answers that are worked out at a time: each may keep a processor of the database busy. */
const AT_ONCE_MAX = 3;
const WAITING_MAX = 50;
const RETRY_AFTER_SECONDS = '5';

/** Settings that only tests change. */
export interface AnalyticsOptions {
  readonly statementTimeoutMs?: number;
  readonly now?: () => Date;
  /** How numbers are protected. */
  readonly rounding?: (secret: string, accountId: AccountId) => Rounding;
}

/** A selection whose criteria all matter, and its people by cell: band by band, in each the sexes. */
export interface Selected {
  readonly asked: Selection;
  readonly look: Look;
  readonly who: Who;
  readonly cells: readonly number[];
}

/** What every answer needs: its turn, the snapshot, the people selected, the day, and the rounding. */
export class Asking {
  readonly cohorts: CohortService;
  readonly #database: Database;
  readonly #secret: string;
  readonly #gate = new Gate(AT_ONCE_MAX, WAITING_MAX);
  readonly #options: AnalyticsOptions;

  constructor(database: Database, secret: string, options: AnalyticsOptions) {
    this.#database = database;
    this.#secret = secret;
    this.#options = options;
    this.cohorts = new CohortService(database);
  }

  /** @throws Fault `unavailable` when the answer takes too long, or too many are being worked out. */
  async ask<T>(use: (store: AnalyticsStore) => Promise<T>): Promise<T> {
    return this.#gate.run(() =>
      ask(this.#database, use, this.#options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS).catch((error: unknown) => {
        if (!isStatementTimeout(error)) throw error;
        throw new Fault('unavailable', {
          message: 'The answer took longer to work out than is allowed. Ask for less, or try again later.',
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
          cause: error,
        });
      }),
    );
  }

  /** What selects the patients of a cohort; of all patients when null. @throws Fault `not_found`. */
  async selection(accountId: AccountId, cohortId: CohortId | null): Promise<Selection> {
    if (cohortId === null) return everybody;
    return selectionOf((await this.cohorts.get(accountId, cohortId)).criteria);
  }

  /** Leaves out the criteria that tell hardly anybody apart, and counts the people that remain selected. */
  async select(store: AnalyticsStore, accountId: AccountId, asked: Selection): Promise<Selected> {
    const look = await store.look(accountId, asked, this.now().getUTCFullYear());
    const clauses = prune(asked.clauses, byMask(look.rows));
    const selected = look.rows.filter(({ mask }) => holds(clauses, mask));
    return { asked, look, who: { table: look.table, masks: masksOf(selected) }, cells: cellsOf(selected) };
  }

  rounding(accountId: AccountId): Rounding {
    return this.#options.rounding?.(this.#secret, accountId) ?? new Rounding(this.#secret, accountId);
  }

  now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  month(): MonthNumber {
    return monthAt(this.now());
  }

  /** Today in UTC, as `YYYY-MM-DD`. */
  today(): string {
    return this.now().toISOString().slice(0, 10);
  }

  /** What every answer says of itself. */
  answered(): Pick<PopulationSummary, 'as_of' | 'time_zone' | 'disclosure_control'> {
    return { as_of: this.today(), time_zone: 'UTC', disclosure_control: disclosureControl };
  }
}
