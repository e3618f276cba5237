/**
 * Entity tags: `"<revision>.<contract hash>"`. They are strong, because If-Match asks for strong ones (RFC 9110, section
 * 13.1.1); those that were sent weak before are taken as well. The revision names the state of the object and is compared by
 * If-Match from any version; the contract hash names the representation, so that If-None-Match never takes one
 * version's answer for another's (RFC 9110, section 8.8). A body that was compressed has the coding behind it.
 */

/** What a tag says. */
export interface EntityTag {
  readonly revision: number;
  readonly representation: string;
}

const TAG = /^(?:W\/)?"(\d{1,15})\.([0-9A-Za-z_-]{1,32}?)(?:--(?:gzip|br|zstd))?"$/;

/** Writes a tag. */
export function formatETag(tag: EntityTag): string {
  return `"${tag.revision}.${tag.representation}"`;
}

/** The same state in another representation, or undefined when the text is not one tag of ours. */
export function inRepresentation(tag: string, representation: string): string | undefined {
  const revision = TAG.exec(tag)?.[1];
  return revision === undefined ? undefined : `"${revision}.${representation}"`;
}

/** The tag of the same answer in a content coding: other bytes have another strong tag. */
export function inCodingTag(tag: string, coding: string): string {
  return tag.endsWith('"') && !tag.startsWith('W/') ? `${tag.slice(0, -1)}--${coding}"` : tag;
}

/** Reads a list of tags as If-Match and If-None-Match carry it; `*` gives `any`. Foreign tags are left out. */
export function parseETags(header: string): readonly EntityTag[] | 'any' {
  if (header.trim() === '*') return 'any';
  const tags: EntityTag[] = [];
  for (const part of header.split(',')) {
    const match = TAG.exec(part.trim());
    if (match) tags.push({ revision: Number(match[1]), representation: match[2] as string });
  }
  return tags;
}
