import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '@perennial/prisma/client.ts';
import { asSystem } from '@perennial/prisma/scope.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { describe } from './http/answer-faults.ts';

/** Fewer rows than this do not change a query plan. */
const ROWS_MIN = 200;
/** Waits this long after the last write, and at most this long after the first. */
const QUIET_MS = 1_000;
const WAIT_MS_MAX = 10_000;

/**
 * Has PostgreSQL look anew at tables that much was written to, so that the first lists after a load are planned for
 * what is there, and not for what was there when its own turn (autovacuum) came last.
 */
export class TableStatistics {
  readonly #database: Database;
  readonly #logger: Logger;
  /** Runs outside any unit of work. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #written = new Map<string, number>();
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Notes rows that were written. @param tables of core, by name. */
  written(tables: readonly string[], rows: number): void {
    if (rows === 0) return;
    for (const table of tables) this.#written.set(table, (this.#written.get(table) ?? 0) + rows);
    if (this.#due().length === 0) return;
    this.#since ??= performance.now();
    clearTimeout(this.#timer);
    const waitMs = Math.min(QUIET_MS, Math.max(0, this.#since + WAIT_MS_MAX - performance.now()));
    this.#timer = this.#outside(() => setTimeout(() => void this.refresh(), waitMs)).unref();
  }

  /** Analyzes the tables that are due. On failure it is left to autovacuum. */
  refresh(): Promise<void> {
    clearTimeout(this.#timer);
    // One after the other.
    this.#running = (this.#running ?? Promise.resolve()).then(() => this.#outside(() => this.#refresh()));
    return this.#running;
  }

  /** Waits for the current ANALYZE to end. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #refresh(): Promise<void> {
    const tables = this.#due();
    this.#since = undefined;
    if (tables.length === 0) return;
    for (const table of tables) this.#written.delete(table);
    try {
      await asSystem('statistics', () => this.#database.$executeRaw`SELECT core.refresh_statistics(${tables}::text[])`);
    } catch (error) {
      this.#logger.warn('the statistics of tables could not be refreshed', describe(error));
    }
  }

  #due(): string[] {
    return [...this.#written].filter(([, rows]) => rows >= ROWS_MIN).map(([table]) => table);
  }
}
