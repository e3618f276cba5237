import { isObject } from '@perennial/schemas/platform/json-schema.ts';

/** How a member of two answers differs. */
export type MirrorDifference = 'missing' | 'added' | 'type' | 'value';

const DEPTH_MAX = 32;
/** Members that are looked at; what is beyond is not compared. */
const MEMBERS_MAX = 20_000;

/**
 * The members in which an answer of the draft differs, as paths. Entries of lists are `*`, and so is every name that the
 * contract does not have: such a name is data. No value is in what is returned.
 * @param names of members in the contract.
 */
export function differingMembers(
  live: unknown,
  draft: unknown,
  names: ReadonlySet<string>,
): ReadonlyMap<string, MirrorDifference> {
  const found = new Map<string, MirrorDifference>();
  let left = MEMBERS_MAX;
  const note = (path: string, difference: MirrorDifference): void => {
    if (!found.has(path)) found.set(path, difference);
  };
  const visit = (a: unknown, b: unknown, path: string, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > DEPTH_MAX) return;
    if (typeOf(a) !== typeOf(b)) note(path, 'type');
    else if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length !== b.length) note(`${path}/*`, a.length > b.length ? 'missing' : 'added');
      for (let at = 0; at < Math.min(a.length, b.length); at += 1) visit(a[at], b[at], `${path}/*`, depth + 1);
    } else if (isObject(a) && isObject(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const at = `${path}/${names.has(name) ? name : '*'}`;
        if (!Object.hasOwn(b, name)) note(at, 'missing');
        else if (!Object.hasOwn(a, name)) note(at, 'added');
        else visit(a[name], b[name], at, depth + 1);
      }
    } else if (a !== b) note(path, 'value');
  };
  visit(live, draft, '', 0);
  return found;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
