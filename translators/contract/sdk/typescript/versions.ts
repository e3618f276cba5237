/*
 * Stands in for what is made from the locked contracts: the operations of each version and their types. The real file
 * is written by `make.ts`, so that the rest of the client is checked here and packed with it.
 */

/** How an operation is called. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
  /** Media type of its body. */
  readonly type?: string;
  /** Whether it takes an Idempotency-Key. */
  readonly keyed?: true;
}

/** The operations of each version, typed. */
export interface Versions {
  readonly '0000-00-00': {
    readonly 'nothing.get': { path: '/nothing'; query: undefined; body: undefined; data: { items: unknown[] } };
  };
}

/** The operations of each version. */
export const operations: Readonly<Record<string, Readonly<Record<string, OperationEntry>>>> = {};
