import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ALL_SCOPES, createAccount, createKey } from '@perennial/prisma/accounts.ts';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { runningServer } from '@perennial/prisma/running-server.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { history } from '@perennial/schemas/history.ts';
import { type KeyScope, OPERATOR } from '@perennial/schemas/operation.ts';
import { isDay } from '@perennial/schemas/platform/calendar.ts';
import { type AccountId, newId } from '@perennial/schemas/platform/ids.ts';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import { checkAuditKeys } from './audit/installation.ts';
import { readAuditKeys } from './audit/keys.ts';
import { createOperatorAudit, type OperatorAudit } from './audit/operator.ts';

/*
 * `npm run accounts -- <verb>`: accounts and their keys, for those who run the service. Keys are printed once, when they
 * are made; only their hashes are kept. Whatever is done to an account is on record in its audit trail, before and after.
 * Reads DATABASE_URL, or the embedded server of DATA_DIR, which may be running.
 */

const USAGE = `usage: npm run accounts -- <verb>

  create --name <text> [--pin <YYYY-MM-DD>] [--mode live|test] [--operator]   an account with its first keys
  list [--account <id>] [--unpinned]                                          accounts, or the keys of one
  key --account <id> [--scopes <a,b>] [--format current|legacy] [--mode live|test] [--expires <YYYY-MM-DD>]
  rotate --key <id> [--overlap-hours <n>]    a new key of the same kind; the old one goes on for 24 hours, or n
  revoke --key <id>                          at once, apart from what gateways remember (KEY_CACHE_MS)
  pin --account <id> --version <YYYY-MM-DD|none>
`;

/** The command cannot be carried out; the message says why. */
class Refused extends Error {
  override readonly name = 'Refused';
}

const { values, positionals } = parseOrExplain();
const HOUR_MS = 3_600_000;
const OVERLAP_HOURS_MAX = 24 * 90;

async function main(): Promise<number> {
  const [verb = ''] = positionals;
  const carryOut = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!carryOut || positionals.length > 1 || values.help) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const settings = new Settings(process.env);
  const dataDir = resolve(settings.get('DATA_DIR'));
  const given = settings.get('DATABASE_ADMIN_URL') ?? settings.get('DATABASE_URL');
  const auditKey = settings.get('AUDIT_KEY');
  settings.check();
  if (given === undefined && !existsSync(join(dataDir, 'postgres')))
    throw new Refused(`there is no database in ${dataDir}; set DATABASE_URL or DATA_DIR, or run npm start once`);
  const server = await startDatabase({ dataDir, databaseUrl: given ?? (await runningServer(dataDir)) });
  const database = createDatabase(server.url, { poolMax: 1, applicationName: 'perennial-accounts' });
  try {
    const keys = readAuditKeys(auditKey, join(dataDir, 'audit.key'));
    await checkAuditKeys(server.url, keys);
    await carryOut(database, createOperatorAudit(database, keys, 'accounts'));
    return 0;
  } finally {
    await database.$disconnect();
    await server.stop();
  }
}

const verbs: Readonly<Record<string, (database: Database, audit: OperatorAudit) => Promise<void>>> = {
  async create(database, audit) {
    const pin = readPin(values.pin);
    const account = {
      id: newId('acc'),
      name: bounded('name', required('name'), 200),
      mode: readMode(),
      operator: values.operator ?? false,
      ...(pin === undefined || pin === null ? {} : { pinnedRelease: pin }),
    };
    print(
      await audit.act(account.id, 'accounts.create', [account.id], () =>
        database.$transaction((tx) => createAccount(tx, account)),
      ),
    );
  },

  async list(database, audit) {
    if (values.account === undefined) {
      const accounts = await database.account.findMany({
        // Those that the next first call pins to what is Current then.
        ...(values.unpinned && { where: { pinnedRelease: null } }),
        orderBy: { id: 'asc' },
        include: { _count: { select: { keys: true } } },
      });
      for (const { id, name, pinnedRelease, _count } of accounts) print({ id, name, pinnedRelease, keys: _count.keys });
      return;
    }
    const accountId = await knownAccount(database);
    const keys = await audit.act(accountId, 'accounts.list', [accountId], () =>
      database.apiKey.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } }),
    );
    for (const { hash: _hash, accountId: _account, ...key } of keys) print(key);
  },

  async key(database, audit) {
    const accountId = await knownAccount(database);
    const expiresAt = values.expires === undefined ? undefined : readDay('expires', values.expires);
    const wanted = {
      accountId,
      format: oneOf('format', values.format ?? 'current', ['current', 'legacy']),
      mode: await modeOf(database, accountId),
      scopes: readScopes(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    };
    const key = await audit.act(accountId, 'accounts.key', [accountId], () => createKey(database, wanted));
    print({ accountId, key });
  },

  async rotate(database, audit) {
    const hours = Number(values['overlap-hours'] ?? 24);
    if (!Number.isInteger(hours) || hours < 0 || hours > OVERLAP_HOURS_MAX)
      throw new Refused(`--overlap-hours is a whole number from 0 to ${OVERLAP_HOURS_MAX}`);
    const { id, accountId } = await knownKey(database);
    const rotate = (): Promise<{ key: string; oldKeyWorksUntil: string }> =>
      database.$transaction(async (tx) => {
        const old = await tx.apiKey.findUniqueOrThrow({ where: { id } });
        if (old.revokedAt) throw new Refused('the key has been revoked; make a new one with `key`');
        const until = new Date(Date.now() + hours * HOUR_MS);
        const expiresAt = old.expiresAt && old.expiresAt < until ? old.expiresAt : until;
        await tx.apiKey.update({ where: { id }, data: { expiresAt } });
        const key = await createKey(tx, {
          accountId,
          format: old.format === 'legacy' ? 'legacy' : 'current',
          mode: old.mode === 'live' ? 'live' : 'test',
          scopes: old.scopes as KeyScope[],
        });
        return { key, oldKeyWorksUntil: expiresAt.toISOString() };
      });
    print({ accountId, ...(await audit.act(accountId, 'accounts.rotate', [id], rotate)) });
  },

  async revoke(database, audit) {
    const { id, accountId } = await knownKey(database);
    await audit.act(accountId, 'accounts.revoke', [id], async () => {
      const { count } = await database.apiKey.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      if (count === 0) throw new Refused('the key has been revoked before');
    });
    print({ revoked: id });
  },

  async pin(database, audit) {
    const id = await knownAccount(database);
    const pinnedRelease = readPin(required('version')) ?? null;
    await audit.act(id, 'accounts.pin', [id], () =>
      database.account.update({ where: { id }, data: { pinnedRelease } }),
    );
    print({ id, pinnedRelease });
  },
};

async function knownAccount(database: Database): Promise<AccountId> {
  const account = await database.account.findUnique({ where: { id: required('account') }, select: { id: true } });
  if (!account) throw new Refused('there is no such account');
  return account.id as AccountId;
}

async function knownKey(database: Database): Promise<{ readonly id: string; readonly accountId: AccountId }> {
  const key = await database.apiKey.findUnique({
    where: { id: required('key') },
    select: { id: true, accountId: true },
  });
  if (!key) throw new Refused('there is no such key');
  return { id: key.id, accountId: key.accountId as AccountId };
}

function parseOrExplain() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        account: { type: 'string' },
        key: { type: 'string' },
        pin: { type: 'string' },
        version: { type: 'string' },
        mode: { type: 'string' },
        format: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        'overlap-hours': { type: 'string' },
        operator: { type: 'boolean' },
        unpinned: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    process.stderr.write(`accounts: ${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function required(option: 'name' | 'account' | 'key' | 'version'): string {
  const value = values[option];
  if (value === undefined || value.trim() === '') throw new Refused(`--${option} is required`);
  return value;
}

function bounded(option: string, value: string, charsMax: number): string {
  if (value.length > charsMax) throw new Refused(`--${option} has ${charsMax} characters at most`);
  return value;
}

function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new Refused(`--${option} is one of ${allowed.join(', ')}`);
  return found;
}

/** That of the account: its keys are all for tests, or all for real patients. */
async function modeOf(database: Database, id: string): Promise<'live' | 'test'> {
  const account = await database.account.findUniqueOrThrow({ where: { id }, select: { mode: true } });
  if (account.mode === null) return readMode();
  const mode = account.mode === 'live' ? 'live' : 'test';
  if (values.mode !== undefined && readMode() !== mode)
    throw new Refused(`the account is for ${mode} keys only; make another one for the others`);
  return mode;
}

function readMode(): 'live' | 'test' {
  return oneOf('mode', values.mode ?? 'live', ['live', 'test']);
}

function readPin(value: string | undefined): string | null | undefined {
  if (value === undefined) return undefined;
  if (value === 'none') return null;
  const releases = history.releases.map(({ id }) => id);
  if (!releases.includes(value)) throw new Refused(`a version is one of ${releases.join(', ')}, or none`);
  return value;
}

function readScopes(): readonly KeyScope[] {
  const known: readonly KeyScope[] = [...ALL_SCOPES, 'admin', OPERATOR];
  return values.scopes === undefined
    ? ALL_SCOPES
    : values.scopes.split(',').map((each) => oneOf('scopes', each, known));
}

function readDay(option: string, value: string): Date {
  if (!isDay(value)) throw new Refused(`--${option} is a day, YYYY-MM-DD`);
  const day = new Date(`${value}T00:00:00Z`);
  if (day.getTime() <= Date.now()) throw new Refused(`--${option} has passed`);
  return day;
}

/** One line of JSON each, so that a script can read them. */
function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`accounts: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof Refused ? 2 : 1);
  },
);
