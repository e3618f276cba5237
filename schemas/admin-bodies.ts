import Type, { type Static, type TSchema } from 'typebox';
import type { Scope } from './operation.ts';

/*
 * What the admin API takes. It has no versions: those who run the service run its newest release.
 */

const categories = ['patients', 'diagnostics', 'knowledge', 'analytics', 'imaging', 'webhooks'] as const;
const scopeNames: readonly Scope[] = categories.flatMap((each) => [`${each}:read` as const, `${each}:write` as const]);
const closed = { additionalProperties: false } as const;
const nullable = <S extends TSchema & { readonly type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] });
const line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
const reason = line(500);
const day = Type.String({ format: 'date' });
const identifier = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9A-Za-z]{8,64}$` });
const release = Type.String({ pattern: '^v?\\d{4}-\\d{2}-\\d{2}$' });
const scopes = Type.Array(Type.Enum([...scopeNames, 'admin']), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
});
/** Bounds of a key, which may be set and lifted later. */
const bounds = {
  name: Type.Optional(nullable(line(100))),
  expires_at: Type.Optional(nullable(Type.String({ format: 'date-time' }))),
  rate_per_minute: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }))),
  quota_per_day: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 2_000_000_000 }))),
  allowed_addresses: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100, uniqueItems: true })),
};

export const adminBodies = {
  AccountCreate: Type.Object(
    {
      name: line(200),
      mode: Type.Enum(['live', 'test']),
      tier: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,29}$' })),
      pin: Type.Optional(nullable(release)),
    },
    closed,
  ),
  AccountUpdate: Type.Object(
    {
      name: Type.Optional(line(200)),
      tier: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_-]{0,29}$' })),
    },
    { ...closed, minProperties: 1 },
  ),
  KeyCreate: Type.Object({ scopes, format: Type.Optional(Type.Enum(['current', 'legacy'])), ...bounds }, closed),
  KeyUpdate: Type.Object({ ...bounds }, { ...closed, minProperties: 1 }),
  KeyRotate: Type.Object({ overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_160 })) }, closed),
  PinRaise: Type.Object({ version: release }, closed),
  Dates: Type.Object({ deprecated: Type.Optional(day), sunset: day, reason }, closed),
  Extension: Type.Object({ account: identifier('acc'), until: day, reason }, closed),
  Brownout: Type.Object(
    {
      starts_at: Type.String({ format: 'date-time' }),
      ends_at: Type.String({ format: 'date-time' }),
      share: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      accounts: Type.Optional(Type.Array(identifier('acc'), { minItems: 1, maxItems: 1_000, uniqueItems: true })),
      reason,
    },
    closed,
  ),
  Withdrawal: Type.Object({ reason }, closed),
} as const;

/** A body that has been checked. */
export type AdminBody<N extends keyof typeof adminBodies> = Static<(typeof adminBodies)[N]>;
