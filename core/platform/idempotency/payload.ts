import { createHash } from 'node:crypto';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import canonicalize from 'canonicalize';

/** What identifies a write beside its body. */
export interface WriteTarget {
  readonly accountId: AccountId;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
}

/** Collects what a request says, part by part. */
export interface PayloadParts {
  /** Adds the body, or the next part of one that comes in parts. @param part JSON that PostgreSQL could store. */
  add(part: unknown): void;
}

/** For a request without a key: ignores everything. */
export const unasked: PayloadParts = { add: () => undefined };

/**
 * SHA-256 of what a request says, at head, in the form of RFC 8785: the order of members and the spelling of numbers
 * make no difference, and neither does the version that the caller wrote it in.
 */
export class Payload implements PayloadParts {
  readonly #hash = createHash('sha256');
  #parts = 0;

  constructor(target: WriteTarget) {
    const { accountId, method, path, query } = target;
    this.#hash.update(`${canonicalize({ accountId, method, path, query })}`);
  }

  /** How many parts of the body have been added. */
  get parts(): number {
    return this.#parts;
  }

  add(part: unknown): void {
    this.#hash.update(`\n${canonicalize(part)}`);
    this.#parts += 1;
  }

  /** In hexadecimal, of what has been added so far. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }
}
