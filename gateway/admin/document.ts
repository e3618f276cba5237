import { adminBodies } from '@perennial/schemas/admin-bodies.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';

/*
 * The admin API as the document of operators describes it. A test holds it to the routes that are served.
 */

interface Described {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** As OpenAPI writes it. */
  readonly path: string;
  /** As it stands in the audit trail. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: string;
  readonly body?: keyof typeof adminBodies;
}

export const adminOperations: readonly Described[] = [
  {
    method: 'GET',
    path: '/admin/accounts',
    operation: 'admin.accounts.list',
    summary: 'List accounts',
    description: 'A hundred at a time; `after` is the `next_after` of the page before.',
    query: 'after',
  },
  {
    method: 'POST',
    path: '/admin/accounts',
    operation: 'admin.accounts.create',
    summary: 'Make an account',
    description: 'Live or test, as all of its keys: what a test key does touches no real patient.',
    body: 'AccountCreate',
  },
  { method: 'GET', path: '/admin/accounts/{account}', operation: 'admin.accounts.get', summary: 'Read an account' },
  {
    method: 'PATCH',
    path: '/admin/accounts/{account}',
    operation: 'admin.accounts.update',
    summary: 'Change the name or the tier of an account',
    body: 'AccountUpdate',
  },
  {
    method: 'POST',
    path: '/admin/accounts/{account}/pin',
    operation: 'admin.accounts.raise_pin',
    summary: 'Raise the pin of an account',
    description: 'For 72 hours there is a way back.',
    body: 'PinRaise',
  },
  {
    method: 'POST',
    path: '/admin/accounts/{account}/pin/back',
    operation: 'admin.accounts.lower_pin',
    summary: 'Take a raised pin back',
  },
  {
    method: 'GET',
    path: '/admin/accounts/{account}/keys',
    operation: 'admin.keys.list',
    summary: 'List the keys of an account',
    description: 'With their bounds and when each was last used; a key itself is shown only when it is made.',
  },
  {
    method: 'POST',
    path: '/admin/accounts/{account}/keys',
    operation: 'admin.keys.create',
    summary: 'Make a key',
    description: 'The answer shows the key, once.',
    body: 'KeyCreate',
  },
  {
    method: 'PATCH',
    path: '/admin/keys/{key}',
    operation: 'admin.keys.update',
    summary: 'Change the name, the end or the bounds of a key',
    body: 'KeyUpdate',
  },
  {
    method: 'POST',
    path: '/admin/keys/{key}/rotate',
    operation: 'admin.keys.rotate',
    summary: 'Replace a key',
    description: 'The new key is of the same kind; the old one goes on working for 24 hours, or as long as is said.',
    body: 'KeyRotate',
  },
  {
    method: 'POST',
    path: '/admin/keys/{key}/revoke',
    operation: 'admin.keys.revoke',
    summary: 'Revoke a key',
    description: 'At every gateway within a second.',
  },
  {
    method: 'GET',
    path: '/admin/lifecycle',
    operation: 'admin.lifecycle.list',
    summary: 'List the dates of every version, and what operators have decided',
  },
  {
    method: 'POST',
    path: '/admin/lifecycle/{version}/dates',
    operation: 'admin.lifecycle.move_dates',
    summary: 'Give notice of the end of a version, or move it',
    description:
      'Later at any time; nearer only as far as the guarantees allow, and never before the day that is shipped.',
    body: 'Dates',
  },
  {
    method: 'POST',
    path: '/admin/lifecycle/{version}/extensions',
    operation: 'admin.lifecycle.extend',
    summary: 'Leave a version to one account for longer',
    body: 'Extension',
  },
  {
    method: 'POST',
    path: '/admin/lifecycle/{version}/brownouts',
    operation: 'admin.lifecycle.brownout',
    summary: 'Switch a version off for some hours before its end',
    description: 'In its last 30 days, announced a week ahead, for a share of the accounts or for some by name.',
    body: 'Brownout',
  },
  {
    method: 'POST',
    path: '/admin/lifecycle/acts/{act}/withdraw',
    operation: 'admin.lifecycle.withdraw',
    summary: 'Take back what an operator has decided',
    body: 'Withdrawal',
  },
];

const text: JsonSchema = { type: 'string' };
const places: Readonly<Record<string, string>> = {
  account: 'Identifier of the account.',
  key: 'Identifier of the key; not the key.',
  version: 'A release, with or without its `v`.',
  act: 'Identifier of what was decided.',
  after: 'Identifier of the last account of the page before.',
};

/** By path, as OpenAPI lists them. @param answer what an answer is, with whatever `data` holds. */
export function adminPaths(answer: JsonSchema): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of adminOperations) {
    const path = paths[each.path] ?? {};
    path[each.method.toLowerCase()] = operationOf(each, answer);
    paths[each.path] = path;
  }
  return paths;
}

/** Made anew, whose answer is 201. */
const MAKES: ReadonlySet<string> = new Set([
  'admin.accounts.create',
  'admin.keys.create',
  'admin.keys.rotate',
  'admin.lifecycle.move_dates',
  'admin.lifecycle.extend',
  'admin.lifecycle.brownout',
]);

function operationOf({ path, operation, summary, description, query, body }: Described, answer: JsonSchema): object {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true })),
    ...(query === undefined ? [] : [{ name: query, in: 'query', required: false }]),
  ].map((each) => ({ ...each, description: places[each.name], schema: text }));
  return {
    operationId: operation,
    summary,
    description: description ?? `${summary}.`,
    tags: ['operators'],
    security: [{ operator: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: adminBodies[body] as unknown as JsonSchema } },
          },
        }),
    responses: {
      [MAKES.has(operation) ? 201 : 200]: {
        description: summary,
        content: { 'application/json': { schema: answer } },
      },
      ...Object.fromEntries(
        [400, 401, 403, 404, 409, 422, 503].map((status) => [status, { $ref: '#/components/responses/Failed' }]),
      ),
    },
  };
}
