import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client.ts';
import { createScopedPool } from './scoped-pool.ts';

export { Prisma } from './generated/client.ts';

/** The typed client of both PostgreSQL schemas. Close it with `$disconnect()`. */
export type Database = PrismaClient;

/** What a function needs to work both on the client and inside one of its transactions. */
export type DatabaseTransaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

export interface DatabaseOptions {
  /** The most connections this process opens at a time. */
  poolMax?: number;
  /** How long a query may wait for a free connection before it fails. */
  connectionTimeoutMs?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Whether every query must run in the scope of an account or a system path; see scope.ts. */
  isScoped?: boolean;
}

/** Opens a database. Nothing connects before the first query. */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const config = {
    connectionString: url,
    max: options.poolMax ?? 10,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    application_name: options.applicationName ?? 'perennial',
  };
  const pool = options.isScoped === true ? createScopedPool(config) : new pg.Pool(config);
  // A connection lost while idle is replaced by the pool; the next query that cannot be served reports the fault.
  pool.on('error', () => undefined);
  const adapter = new PrismaPg(pool, { disposeExternalPool: true, onConnectionError: () => undefined });
  const database = new PrismaClient({ adapter, errorFormat: 'minimal' });
  drivers.set(database, pool);
  return database;
}

/** Runs single statements. */
export interface Driver {
  /** @param values of `$1` and on. @throws {pg.DatabaseError} with the code of PostgreSQL. */
  query(sql: string, values: readonly unknown[]): Promise<unknown>;
}

const drivers = new WeakMap<Database, pg.Pool>();

/**
 * What the client itself runs its statements on: its connections without its planner, which copies each parameter
 * several times. For statements that run all the time with one large parameter, and for nothing else.
 */
export function driverOf(database: Database): Driver {
  const pool = drivers.get(database);
  if (!pool) throw new Error('driverOf: the database was not opened by createDatabase');
  return { query: (sql, values) => pool.query(sql, [...values]) };
}
