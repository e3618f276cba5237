import type { Operation } from '@perennial/schemas/operation.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Exchange } from '../exchange.ts';

/*
 * `Link` of a page (RFC 8288): where the next begins, the one before where positions are counted, and the first, in the
 * client's own path and query. A page's members stand behind its entries, so the end of the text tells them unparsed.
 */

const END_BYTES_MAX = 4_096;
/** As a page by cursor and a page by offset end; texts of entries cannot look like it, for their quotes are escaped. */
const BY_CURSOR = /"next_cursor":"([^"\\]{1,2000})","has_more":true(?:,"total":\d{1,15})?\}\}$/;
const BY_OFFSET = /"total":(\d{1,15}),"offset":(\d{1,15}),"limit":(\d{1,6})\}\}$/;

/** The header's value, or undefined for what is no page. */
export function pageLinks(exchange: Exchange, operation: Operation, body: Buffer): string | undefined {
  const { ref } = operation.response;
  if (ref === undefined || operation.method !== 'GET' || !isPage(ref)) return undefined;
  const position = operation.parameters.find(({ isPosition, name }) => isPosition === true || name === 'offset')?.name;
  if (position === undefined) return undefined;
  const links: string[] = [];
  const add = (rel: string, at: string | undefined): void => {
    const query = new URLSearchParams(exchange.search);
    if (at === undefined) query.delete(position);
    else query.set(position, at);
    const text = query.toString();
    links.push(`<${exchange.prefix}${exchange.path}${text === '' ? '' : `?${text}`}>; rel="${rel}"`);
  };
  const end = body.subarray(-END_BYTES_MAX).toString('latin1');
  const cursor = BY_CURSOR.exec(end)?.[1];
  const [, total, offset, limit] = (BY_OFFSET.exec(end) ?? []).map(Number);
  if (cursor !== undefined) add('next', cursor);
  if (total !== undefined && offset !== undefined && limit !== undefined) {
    if (offset + limit < total) add('next', String(offset + limit));
    if (offset > 0) add('prev', offset > limit ? String(offset - limit) : undefined);
  }
  add('first', undefined);
  return links.join(', ');
}

/** References of pages, by reference: the same few are asked about at every list. */
const pages = new Map<string, boolean>();

function isPage(ref: string): boolean {
  let known = pages.get(ref);
  if (known === undefined) {
    known = parseRef(ref).variant === 'page';
    pages.set(ref, known);
  }
  return known;
}
