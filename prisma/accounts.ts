import { type KeyScope, OPERATOR, type Scope } from '@perennial/schemas/operation.ts';
import {
  apiKeyPrefix,
  hashApiKey,
  type KeyFormat,
  type KeyMode,
  mintApiKey,
  mintLegacyApiKey,
} from '@perennial/schemas/platform/credentials.ts';
import { type AccountId, newId } from '@perennial/schemas/platform/ids.ts';
import type { DatabaseTransaction } from './client.ts';

const CATEGORIES = ['patients', 'diagnostics', 'knowledge', 'analytics', 'imaging', 'webhooks'] as const;

/** Every scope but `admin`, which stands beside them and holds them all. */
export const ALL_SCOPES: readonly Scope[] = CATEGORIES.flatMap((category) => [
  `${category}:read` as const,
  `${category}:write` as const,
]);

/** The keys of a new account, in the only moment they can be read. */
export interface FreshAccount {
  accountId: AccountId;
  apiKey: string;
  legacyApiKey: string;
  adminKey: string;
}

export interface NewAccount {
  id?: AccountId;
  name?: string;
  /** The release served when a request names none, as YYYY-MM-DD. */
  pinnedRelease?: string;
  mode?: KeyMode;
  /** Scopes of `apiKey` and `legacyApiKey`; by default all of them. */
  scopes?: readonly Scope[];
  /** Whether the admin key also opens what speaks of every account: for those who run the service. */
  operator?: boolean;
}

export interface NewKey {
  accountId: AccountId;
  format: KeyFormat;
  mode: KeyMode;
  scopes: readonly KeyScope[];
  expiresAt?: Date | null;
  revokedAt?: Date;
  name?: string | null;
  ratePerMinute?: number | null;
  quotaPerDay?: number | null;
  allowedAddresses?: readonly string[];
}

/** Creates an account with a key of each format and an admin key. */
export async function createAccount(db: DatabaseTransaction, account: NewAccount = {}): Promise<FreshAccount> {
  const accountId = account.id ?? newId('acc');
  await db.account.create({
    data: { id: accountId, name: account.name ?? 'Account', pinnedRelease: account.pinnedRelease ?? null },
  });
  return { accountId, ...(await createKeys(db, accountId, account.mode ?? 'test', account)) };
}

/** Gives an account a key of each format and an admin key, beside those it has. */
export async function createKeys(
  db: DatabaseTransaction,
  accountId: AccountId,
  mode: KeyMode,
  { scopes = ALL_SCOPES, operator = false }: Pick<NewAccount, 'scopes' | 'operator'> = {},
): Promise<Omit<FreshAccount, 'accountId'>> {
  return {
    apiKey: await createKey(db, { accountId, format: 'current', mode, scopes }),
    legacyApiKey: await createKey(db, { accountId, format: 'legacy', mode, scopes }),
    adminKey: await createKey(db, {
      accountId,
      format: 'current',
      mode,
      scopes: operator ? ['admin', OPERATOR] : ['admin'],
    }),
  };
}

/** Creates one key and returns it. Only its hash is kept. */
export async function createKey(db: DatabaseTransaction, key: NewKey): Promise<string> {
  return (await createNamedKey(db, key)).key;
}

/** The same, with its identifier. */
export async function createNamedKey(
  db: DatabaseTransaction,
  key: NewKey,
): Promise<{ readonly id: string; readonly key: string }> {
  const text = key.format === 'current' ? mintApiKey(key.mode) : mintLegacyApiKey();
  const id = newId('key');
  await db.apiKey.create({
    data: {
      ...key,
      id,
      hash: hashApiKey(text),
      prefix: apiKeyPrefix(text),
      scopes: [...key.scopes],
      allowedAddresses: [...(key.allowedAddresses ?? [])],
    },
  });
  return { id, key: text };
}
