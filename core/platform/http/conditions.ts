import type { IncomingHttpHeaders } from 'node:http';
import { type EntityTag, formatETag, parseETags } from '@perennial/schemas/platform/etag.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';

/**
 * If-Match and If-None-Match of one request. If-Match compares the revision alone, so that a tag read at any version
 * works; If-None-Match needs the representation as well, so that one version's answer is never taken for another's.
 */
export class Conditions {
  readonly #match: readonly EntityTag[] | 'any' | undefined;
  readonly #noneMatch: readonly EntityTag[] | 'any' | undefined;
  readonly #representation: string;

  constructor(headers: IncomingHttpHeaders, representation: string) {
    const match = headers['if-match'];
    const noneMatch = headers['if-none-match'];
    this.#match = match === undefined ? undefined : parseETags(match);
    this.#noneMatch = noneMatch === undefined ? undefined : parseETags(noneMatch);
    this.#representation = representation;
  }

  /** Whether an answer to a read would tell the caller nothing new (304). */
  isFresh(revision: number): boolean {
    return this.#noneMatch !== undefined && this.#noneMatchFits(revision, this.#noneMatch);
  }

  /** @throws Fault 412 when If-Match does not fit the object's state. */
  checkRead(revision: number): void {
    const tags = this.#match;
    if (tags === undefined || tags === 'any') return;
    if (!tags.some((tag) => tag.revision === revision)) throw new Fault('precondition_failed');
  }

  /** @throws Fault 412 when a write must not go ahead on the object's state: RFC 9110, section 13.2.2. */
  checkWrite(revision: number): void {
    this.checkRead(revision);
    if (this.isFresh(revision)) throw new Fault('precondition_failed');
  }

  #noneMatchFits(revision: number, tags: readonly EntityTag[] | 'any'): boolean {
    if (tags === 'any') return true;
    return tags.some((tag) => tag.revision === revision && tag.representation === this.#representation);
  }
}

/** The tag of an object at a revision, in the representation of head. */
export function etagOf(revision: number, representation: string): string {
  return formatETag({ revision, representation });
}
