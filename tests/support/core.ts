import { type Config, readConfig } from '@perennial/core/config.ts';
import { startCore as startRealCore } from '@perennial/core/start.ts';
import type { Database } from '@perennial/prisma/client.ts';
import { type Caller, signInternalToken } from '@perennial/schemas/internal-token.ts';

/** The secret that test cores and test gateways share. */
export const TEST_SECRET = 'a test secret of more than thirty-two characters';

/** A core under test. */
export interface TestCore {
  readonly url: string;
  /** The core's own connection to the database. */
  readonly database: Database;
  /** An internal token; by default of an account `acc_test` that may do everything. */
  token(caller?: Partial<Caller>): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the real core in this process, on a free port. */
export async function startCore(databaseUrl: string, overrides: Partial<Config> = {}): Promise<TestCore> {
  const config: Config = {
    ...readConfig({ DATABASE_URL: databaseUrl, INTERNAL_SECRET: TEST_SECRET, CORE_PORT: '0', LOG_LEVEL: 'silent' }),
    ...overrides,
  };
  const core = await startRealCore(config);
  return {
    url: core.url,
    database: core.services.database,
    token: (caller) =>
      signInternalToken(config.internalSecret, {
        accountId: 'acc_test',
        keyId: 'key_test',
        scopes: ['admin'],
        ...caller,
      }),
    stop: () => core.stop(),
  };
}
