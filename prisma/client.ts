import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

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
}

/** Opens a database. Nothing connects before the first query. */
export function createDatabase(url: string, options: DatabaseOptions = {}): Database {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: options.poolMax ?? 10,
      connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
      application_name: options.applicationName ?? 'perennial',
    },
    // A connection lost while idle is replaced by the pool; the next query that cannot be served reports the fault.
    { onPoolError: () => undefined, onConnectionError: () => undefined },
  );
  return new PrismaClient({ adapter, errorFormat: 'minimal' });
}
