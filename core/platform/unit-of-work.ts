import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, DatabaseTransaction } from '@perennial/prisma/client.ts';

/*
 * Everything that one request writes, in one transaction, without its handler knowing. While a unit is under way, the
 * database that services hold leads into the unit's transaction: single queries join it, and `$transaction` becomes a
 * savepoint of it. Outside of a unit the database is what it always was.
 */

/** How long a unit may take, and how long it may wait for a connection. */
const UNIT_TIMEOUT_MS = 60_000;
const UNIT_WAIT_MS_MAX = 5_000;

/** What surrounds the work of a unit, in the same transaction. */
export interface UnitBounds<T> {
  /** Before anything of the work. What it throws is thrown to the work, and ends the unit. */
  readonly begin: (transaction: DatabaseTransaction) => Promise<void>;
  /** After the work has succeeded. What it throws undoes the work. */
  readonly end: (transaction: DatabaseTransaction, result: T) => Promise<void>;
  /**
   * When the transaction opens. `early`: before the work. `late`: with the work's first `$transaction`, or after the
   * work when it has none; what is written before stands for itself. For work that first waits for a slow caller,
   * who must not keep a connection of the database busy.
   */
  readonly opens: 'early' | 'late';
}

/** Where in a unit code runs: in its transaction, or in one of its savepoints. */
class Level {
  readonly unit: Unit;
  readonly transaction: DatabaseTransaction | undefined;
  /** The latest savepoint. Savepoints run one after another: the next waits until this one has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(unit: Unit, transaction?: DatabaseTransaction) {
    this.unit = unit;
    this.transaction = transaction;
  }

  async nest<T>(work: (transaction: DatabaseTransaction) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      const transaction = this.transaction ?? (await this.unit.open());
      return transaction.$transaction((inner) => levels.run(new Level(this.unit, inner), () => work(inner)));
    };
    const done = this.#last.then(run, run);
    this.#last = done;
    return done;
  }
}

class Unit {
  readonly #open: () => Promise<DatabaseTransaction>;
  readonly afterCommit: (() => void)[] = [];
  #opened: Promise<DatabaseTransaction> | undefined;
  transaction: DatabaseTransaction | undefined;
  isOver = false;

  constructor(open: () => Promise<DatabaseTransaction>) {
    this.#open = open;
  }

  async open(): Promise<DatabaseTransaction> {
    this.#opened ??= this.#open();
    this.transaction = await this.#opened;
    return this.transaction;
  }
}

const levels = new AsyncLocalStorage<Level>();

/** The current level; undefined outside a unit, and for code still running after its unit has ended. */
function currentLevel(): Level | undefined {
  const level = levels.getStore();
  return level?.unit.isOver ? undefined : level;
}

/** Members that belong to the client itself and never to a transaction. */
const ofClient: ReadonlySet<PropertyKey> = new Set(['$connect', '$disconnect', '$on', '$extends']);

/** The same database, joining the unit of work under way. Composed once, where services are. */
export function joiningUnits(database: Database): Database {
  return new Proxy(database, {
    get(client, name) {
      const level = ofClient.has(name) ? undefined : currentLevel();
      if (level && name === '$transaction') return joiningTransaction(level);
      const source = level?.transaction ?? level?.unit.transaction ?? client;
      const value: unknown = Reflect.get(source, name);
      return typeof value === 'function' ? value.bind(source) : value;
    },
  });
}

type Work = ((transaction: DatabaseTransaction) => Promise<unknown>) | readonly PromiseLike<unknown>[];

function joiningTransaction(level: Level): (work: Work, options?: { isolationLevel?: string }) => Promise<unknown> {
  return async (work, options) => {
    // Better to fail than to run with weaker isolation than was asked for.
    if (options?.isolationLevel !== undefined && options.isolationLevel !== 'ReadCommitted')
      throw new Error('a transaction of its own isolation level cannot join the unit of work of a request');
    return level.nest(async (transaction) => {
      if (typeof work === 'function') return work(transaction);
      const results: unknown[] = [];
      for (const query of work) results.push(await query);
      return results;
    });
  };
}

/**
 * Carries out work as one unit: all of it and what surrounds it is committed, or nothing.
 * @param database as `joiningUnits` gives it.
 */
export async function asUnit<T>(database: Database, bounds: UnitBounds<T>, work: () => Promise<T>): Promise<T> {
  if (currentLevel()) throw new Error('a unit of work is under way already');
  let ended: PromiseWithResolvers<void> | undefined;
  let transaction: Promise<void> | undefined;
  const open = async (): Promise<DatabaseTransaction> => {
    const opened = Promise.withResolvers<DatabaseTransaction>();
    const finished = Promise.withResolvers<void>();
    // The transaction stays open until the work has ended: Prisma ends it with the function that it is given.
    transaction = levels.exit(() =>
      database.$transaction(
        async (given) => {
          await bounds.begin(given);
          opened.resolve(given);
          await finished.promise;
        },
        { timeout: UNIT_TIMEOUT_MS, maxWait: UNIT_WAIT_MS_MAX },
      ),
    );
    transaction.catch(opened.reject);
    // The error reaches whoever awaits the transaction; when it has already ended, nobody does.
    finished.promise.catch(() => undefined);
    ended = finished;
    return opened.promise;
  };

  const unit = new Unit(open);
  let result: T;
  try {
    if (bounds.opens === 'early') await unit.open();
    result = await levels.run(new Level(unit), work);
    await bounds.end(await unit.open(), result);
  } catch (error) {
    unit.isOver = true;
    ended?.reject(error);
    await transaction?.catch(() => undefined);
    throw error;
  }
  unit.isOver = true;
  ended?.resolve();
  await transaction;
  for (const task of unit.afterCommit) task();
  return result;
}

/**
 * Carries out work whose writes, whichever services make them, are committed together or not at all: as a savepoint of
 * the unit under way, or as a unit of its own.
 * @param database as `joiningUnits` gives it.
 */
export async function together<T>(
  database: Database,
  work: (transaction: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  if (currentLevel()) return database.$transaction(work);
  const none = async (): Promise<void> => undefined;
  return asUnit(database, { opens: 'early', begin: none, end: none }, () => database.$transaction(work));
}

/**
 * Carries out a task outside the unit under way, on a connection of its own: for what must be committed whether or not
 * the unit is, such as the intent to remove bytes that are about to be written.
 */
export function outsideUnit<T>(task: () => Promise<T>): Promise<T> {
  return levels.exit(task);
}

/**
 * Runs a task when what the caller has just written is committed: at once, or at the end of the unit under way; never
 * when that fails. For what others find in the database only then, such as waking a worker.
 */
export function afterCommit(task: () => void): void {
  const level = currentLevel();
  if (level) level.unit.afterCommit.push(task);
  else task();
}
