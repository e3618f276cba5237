import { Fault, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import { parseSubjects, SUBJECTS_HEADER } from '@perennial/schemas/platform/http/subjects.ts';
import { isObject, type JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { CoreHeaders } from './answer.ts';
import { type CoreEnvelope, envelopeHead } from './envelope.ts';

/** What a page still lacks. */
export interface Missing {
  readonly cursor: string;
  readonly entries: number;
}

/** One page made of several of core's. Entries are kept as they will be sent: the whole is never taken apart at once. */
export class PageJoin {
  readonly #entries: number;
  readonly #bytesMax: number;
  readonly #items: Buffer[] = [];
  readonly #subjects = new Set<string>();
  #found = 0;
  #bytes = 0;
  #first: { readonly envelope: CoreEnvelope; readonly data: JsonObject; readonly list: string } | undefined;

  /** @param entries that the page holds if the list has them. @param bytesMax of all of them. */
  constructor(entries: number, bytesMax: number) {
    this.#entries = entries;
    this.#bytesMax = bytesMax;
  }

  /** What is missing once a page of core's, at head, has been added to those before; undefined when nothing is. */
  missingAfter(page: unknown): Missing | undefined {
    if (!isObject(page) || !Array.isArray(page['items'])) return undefined;
    this.#found += page['items'].length;
    const entries = this.#entries - this.#found;
    const cursor = page['next_cursor'];
    return entries > 0 && page['items'].length > 0 && typeof cursor === 'string' ? { cursor, entries } : undefined;
  }

  /** A page of core's with the total that only the first one was asked for. */
  counted(page: unknown): unknown {
    const first = this.#first?.envelope.data;
    return isObject(page) && isObject(first) ? { ...page, total: first['total'] } : page;
  }

  /**
   * Adds a page as the client reads it.
   * @throws {Fault} `limit` is too large where the entries are longer than one answer may be; or core_failed.
   */
  add(envelope: CoreEnvelope, data: unknown, headers: CoreHeaders): void {
    const list = isObject(data) ? Object.keys(data).find((name) => Array.isArray(data[name])) : undefined;
    if (!isObject(data) || list === undefined)
      throw new Fault('core_failed', { cause: new Error('a page without a list') });
    this.#first ??= { envelope, data, list };
    for (const item of data[list] as readonly unknown[]) {
      const bytes = Buffer.from(JSON.stringify(item), 'utf8');
      this.#bytes += bytes.length;
      if (this.#bytes > this.#bytesMax) throw invalidParameter('limit', 'too_large');
      this.#items.push(bytes);
    }
    for (const subject of parseSubjects(headers[SUBJECTS_HEADER])) this.#subjects.add(subject);
  }

  /** Whose data all of them hold. */
  subjects(): readonly string[] {
    return [...this.#subjects];
  }

  /** The answer: the first page's envelope and members, with the entries of all. */
  write(semver: string): Buffer {
    if (!this.#first) throw new Error('PageJoin.write before add');
    const { envelope, data, list } = this.#first;
    const parts: Buffer[] = [];
    const text = (value: string): void => {
      parts.push(Buffer.from(value, 'utf8'));
    };
    text(`${envelopeHead(envelope, semver)},"data":{`);
    for (const [at, [name, value]] of Object.entries(data).entries()) {
      text(`${at > 0 ? ',' : ''}${JSON.stringify(name)}:`);
      if (name !== list) {
        text(JSON.stringify(value));
        continue;
      }
      text('[');
      for (const [index, item] of this.#items.entries()) {
        if (index > 0) text(',');
        parts.push(item);
      }
      text(']');
    }
    text('}}');
    return Buffer.concat(parts);
  }
}
