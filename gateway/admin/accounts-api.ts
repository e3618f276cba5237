import { createNamedKey } from '@perennial/prisma/accounts.ts';
import type { Database } from '@perennial/prisma/client.ts';
import type { AdminBody } from '@perennial/schemas/admin-bodies.ts';
import type { History } from '@perennial/schemas/history.ts';
import { currentOf } from '@perennial/schemas/lifecycle.ts';
import { type KeyScope, OPERATOR } from '@perennial/schemas/operation.ts';
import { Fault, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, newId } from '@perennial/schemas/platform/ids.ts';
import type { ServiceDate } from '../version/service-date.ts';
import { readNetworks, releaseNamed } from './input.ts';
import type { AdminRoute } from './routes.ts';

/*
 * Accounts, their keys and their pins. A key is shown once, when it is made. Nothing is deleted: a key is revoked, and
 * what was done with it stays on record.
 */

const HOUR_MS = 3_600_000;
/** How long a pin that was raised may be taken back. */
export const PIN_BACK_HOURS = 72;
const OVERLAP_HOURS = 24;
const PAGE = 100;
const KEYS_MAX = 200;

export interface AccountsApiParts {
  readonly database: Database;
  readonly history: History;
  readonly serviceDate: ServiceDate;
}

type AccountRow = NonNullable<Awaited<ReturnType<Database['account']['findFirst']>>>;
type KeyRow = NonNullable<Awaited<ReturnType<Database['apiKey']['findFirst']>>>;

export function accountsApi({ database, history, serviceDate }: AccountsApiParts): readonly AdminRoute[] {
  const find = async (id: string): Promise<AccountRow> => {
    const account = await database.account.findFirst({ where: { id } });
    if (!account) throw new Fault('not_found');
    return account;
  };
  const findKey = async (id: string): Promise<KeyRow> => {
    const key = await database.apiKey.findFirst({ where: { id } });
    if (!key) throw new Fault('not_found');
    return key;
  };
  /** Whose trail an act on a key belongs in. */
  const holder = async (id: string): Promise<string> => (await findKey(id)).accountId;

  return [
    {
      method: 'GET',
      path: '/admin/accounts',
      operation: 'admin.accounts.list',
      query: ['after'],
      async handle({ query }) {
        const after = query.get('after');
        const rows = await database.account.findMany({
          ...(after === null ? {} : { where: { id: { gt: after } } }),
          orderBy: { id: 'asc' },
          take: PAGE + 1,
        });
        const items = rows.slice(0, PAGE);
        return {
          data: { items: items.map(accountOf), next_after: rows.length > PAGE ? (items.at(-1)?.id ?? null) : null },
        };
      },
    },
    {
      method: 'POST',
      path: '/admin/accounts',
      operation: 'admin.accounts.create',
      body: 'AccountCreate',
      // Known before it is made, so that its trail begins with its making.
      target: async () => newId('acc'),
      async handle({ body, target }) {
        const { name, mode, tier, pin } = body as AdminBody<'AccountCreate'>;
        const pinnedRelease =
          pin === undefined || pin === null ? undefined : releaseNamed(history, pin, { pointer: '/pin' });
        const id = target as string;
        await database.account.create({
          data: { id, name, mode, ...(tier === undefined ? {} : { tier }), pinnedRelease: pinnedRelease ?? null },
        });
        return { status: 201, data: accountOf(await find(id)) };
      },
    },
    {
      method: 'GET',
      path: '/admin/accounts/:account',
      operation: 'admin.accounts.get',
      target: async ({ account }) => account as string,
      async handle({ parameters }) {
        const account = await find(parameters['account'] as string);
        return { data: accountOf(account) };
      },
    },
    {
      method: 'PATCH',
      path: '/admin/accounts/:account',
      operation: 'admin.accounts.update',
      body: 'AccountUpdate',
      target: async ({ account }) => (await find(account as string)).id,
      async handle({ parameters, body }) {
        const { name, tier } = body as AdminBody<'AccountUpdate'>;
        const id = parameters['account'] as string;
        await database.account.update({
          where: { id },
          data: { ...(name === undefined ? {} : { name }), ...(tier === undefined ? {} : { tier }) },
        });
        return { data: accountOf(await find(id)) };
      },
    },
    {
      method: 'POST',
      path: '/admin/accounts/:account/pin',
      operation: 'admin.accounts.raise_pin',
      body: 'PinRaise',
      target: async ({ account }) => (await find(account as string)).id,
      async handle({ parameters, body }) {
        const account = await find(parameters['account'] as string);
        const wanted = releaseNamed(history, (body as AdminBody<'PinRaise'>).version, { pointer: '/version' });
        const all = serviceDate.standings();
        const standing = all.find(({ release }) => release.id === wanted);
        if (!standing || standing.state === 'preview' || standing.state === 'sunset')
          throw invalidAt('/version', 'not_allowed_value');
        // Unpinned is pinned to Current, and nothing lies above it.
        const pinned = account.pinnedRelease ?? currentOf(all)?.id ?? wanted;
        if (wanted <= pinned) throw invalidAt('/version', 'too_small');
        const { count } = await database.account.updateMany({
          where: { id: account.id, pinnedRelease: account.pinnedRelease },
          data: { pinnedRelease: wanted, previousPin: account.pinnedRelease, pinRaisedAt: new Date() },
        });
        if (count === 0) throw new Fault('conflict');
        return { data: accountOf(await find(account.id)) };
      },
    },
    {
      method: 'POST',
      path: '/admin/accounts/:account/pin/back',
      operation: 'admin.accounts.lower_pin',
      target: async ({ account }) => (await find(account as string)).id,
      async handle({ parameters }) {
        const account = await find(parameters['account'] as string);
        if (backUntil(account) === null)
          throw new Fault('conflict', {
            message: `The pin was not raised within the last ${PIN_BACK_HOURS} hours; there is no way back.`,
          });
        await database.account.updateMany({
          where: { id: account.id, pinRaisedAt: account.pinRaisedAt },
          data: { pinnedRelease: account.previousPin, previousPin: null, pinRaisedAt: null },
        });
        return { data: accountOf(await find(account.id)) };
      },
    },
    {
      method: 'GET',
      path: '/admin/accounts/:account/keys',
      operation: 'admin.keys.list',
      target: async ({ account }) => account as string,
      async handle({ parameters }) {
        const { id } = await find(parameters['account'] as string);
        const keys = await database.apiKey.findMany({
          where: { accountId: id },
          orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
          take: KEYS_MAX,
        });
        return { data: { items: keys.map(keyOf) } };
      },
    },
    {
      method: 'POST',
      path: '/admin/accounts/:account/keys',
      operation: 'admin.keys.create',
      body: 'KeyCreate',
      target: async ({ account }) => (await find(account as string)).id,
      async handle({ parameters, body }) {
        const account = await find(parameters['account'] as string);
        const { scopes, format = 'current', ...bounds } = body as AdminBody<'KeyCreate'>;
        const valid = await database.apiKey.count({ where: { accountId: account.id, revokedAt: null } });
        if (valid >= KEYS_MAX) throw new Fault('limit_reached');
        const made = await createNamedKey(database, {
          accountId: account.id as AccountId,
          format,
          mode: account.mode === 'live' ? 'live' : 'test',
          scopes: scopes as KeyScope[],
          ...boundsOf(bounds),
        });
        return { status: 201, data: { ...keyOf(await findKey(made.id)), key: made.key } };
      },
    },
    {
      method: 'PATCH',
      path: '/admin/keys/:key',
      operation: 'admin.keys.update',
      body: 'KeyUpdate',
      target: ({ key }) => holder(key as string),
      async handle({ parameters, body }) {
        const bounds = body as AdminBody<'KeyUpdate'>;
        const id = parameters['key'] as string;
        const { count } = await database.apiKey.updateMany({
          where: { id, revokedAt: null },
          data: boundsOf(bounds),
        });
        if (count === 0) throw revoked();
        return { data: keyOf(await findKey(id)) };
      },
    },
    {
      method: 'POST',
      path: '/admin/keys/:key/rotate',
      operation: 'admin.keys.rotate',
      body: 'KeyRotate',
      target: ({ key }) => holder(key as string),
      async handle({ parameters, body }) {
        const { overlap_hours: hours = OVERLAP_HOURS } = body as AdminBody<'KeyRotate'>;
        const id = parameters['key'] as string;
        const made = await database.$transaction(async (tx) => {
          const old = await tx.apiKey.findFirst({ where: { id, revokedAt: null } });
          if (!old) throw revoked();
          if (old.scopes.includes(OPERATOR))
            throw new Fault('conflict', { message: 'Keys of operators are made with `npm run accounts` only.' });
          const until = new Date(Date.now() + hours * HOUR_MS);
          const expiresAt = old.expiresAt && old.expiresAt < until ? old.expiresAt : until;
          await tx.apiKey.update({ where: { id }, data: { expiresAt } });
          return createNamedKey(tx, {
            accountId: old.accountId as AccountId,
            format: old.format === 'legacy' ? 'legacy' : 'current',
            mode: old.mode === 'live' ? 'live' : 'test',
            scopes: old.scopes as KeyScope[],
            name: old.name,
            ratePerMinute: old.ratePerMinute,
            quotaPerDay: old.quotaPerDay,
            allowedAddresses: old.allowedAddresses,
          });
        });
        return {
          status: 201,
          data: { ...keyOf(await findKey(made.id)), key: made.key, replaces: keyOf(await findKey(id)) },
        };
      },
    },
    {
      method: 'POST',
      path: '/admin/keys/:key/revoke',
      operation: 'admin.keys.revoke',
      target: ({ key }) => holder(key as string),
      async handle({ parameters }) {
        const id = parameters['key'] as string;
        // Once revoked it stays so; to say it again changes nothing.
        await database.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
        return { data: keyOf(await findKey(id)) };
      },
    },
  ];
}

function revoked(): Fault {
  return new Fault('conflict', { message: 'The key has been revoked; make a new one.' });
}

type Bounds = AdminBody<'KeyUpdate'>;

/** What was said of a key’s bounds, as columns; what was not said is left alone. */
function boundsOf(bounds: Bounds) {
  const {
    name,
    expires_at: expires,
    rate_per_minute: rate,
    quota_per_day: quota,
    allowed_addresses: networks,
  } = bounds;
  return {
    ...(name === undefined ? {} : { name }),
    ...(expires === undefined ? {} : { expiresAt: expires === null ? null : new Date(expires) }),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
    ...(quota === undefined ? {} : { quotaPerDay: quota }),
    ...(networks === undefined ? {} : { allowedAddresses: readNetworks(networks) }),
  };
}

/** Until when a raised pin can be taken back; null for one that cannot. */
function backUntil({ pinRaisedAt }: AccountRow): string | null {
  if (!pinRaisedAt) return null;
  const until = pinRaisedAt.getTime() + PIN_BACK_HOURS * HOUR_MS;
  return Date.now() < until ? new Date(until).toISOString() : null;
}

function accountOf(account: AccountRow) {
  const until = backUntil(account);
  return {
    id: account.id,
    name: account.name,
    mode: account.mode,
    tier: account.tier,
    pin: account.pinnedRelease,
    pin_back: until === null ? null : { to: account.previousPin, until },
    created_at: account.createdAt.toISOString(),
  };
}

function keyOf(key: KeyRow) {
  return {
    id: key.id,
    account: key.accountId,
    name: key.name,
    prefix: key.prefix,
    mode: key.mode,
    format: key.format,
    scopes: key.scopes,
    rate_per_minute: key.ratePerMinute,
    quota_per_day: key.quotaPerDay,
    allowed_addresses: key.allowedAddresses,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
