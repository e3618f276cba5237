import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * On whose behalf core speaks to the database. PostgreSQL shows it the rows of that account and no others, whatever a
 * query says (row-level security): a forgotten WHERE finds nothing. The work that concerns every account says so, by a
 * name of the list below. Code that says neither gets no answer at all.
 */

/** The work that concerns every account. */
export type SystemPath =
  /** Whether there is a database. */
  | 'health'
  /** Which jobs are to be worked on; the work itself is its account's. */
  | 'jobs'
  /** Whether another core has taken a request, whoever calls. */
  | 'replays'
  /** Removing what has expired. */
  | 'retention'
  /** Having PostgreSQL count what its tables hold. */
  | 'statistics'
  /** What the gateway asks on behalf of all subscriptions: whose events are to be delivered, and what became of them. */
  | 'webhooks';

/** On whose behalf. */
export type Scope = { readonly account: string } | { readonly system: SystemPath };

/** A query that says for nobody. It has not been sent. */
export class ScopeMissing extends Error {
  override readonly name = 'ScopeMissing';
}

const scopes = new AsyncLocalStorage<Scope>();

/** Whatever the work asks of the database, it asks for this account. */
export function asAccount<T>(account: string, work: () => T | PromiseLike<T>): Promise<T> {
  return within({ account }, work);
}

/** The work sees the rows of every account. */
export function asSystem<T>(system: SystemPath, work: () => T | PromiseLike<T>): Promise<T> {
  return within({ system }, work);
}

/** Awaited inside: a query of Prisma's is sent when somebody waits for it, and not before. */
function within<T>(scope: Scope, work: () => T | PromiseLike<T>): Promise<T> {
  return scopes.run(scope, async () => await work());
}

export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

export function isSameScope(one: Scope | undefined, other: Scope): boolean {
  if (one === undefined) return false;
  return 'account' in one ? 'account' in other && one.account === other.account : 'system' in other;
}
