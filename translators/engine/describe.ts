import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { isNullable, notNull, nullable } from '@perennial/schemas/platform/json-schema.ts';
import type { Static, TSchema } from 'typebox';
import type { Edit, OlderMember, Relate } from './edit.ts';
import type { Converter } from './expression.ts';
import { EditRefused } from './failures.ts';
import { parsePath } from './path.ts';

export * from './describe-operations.ts';
export * from './describe-rules.ts';
export * from './describe-values.ts';

/**
 * The ways to describe what changed in a resource. Paths are member names joined by dots, from the resource's root.
 * Older names come first, newer second, as history went.
 */

/** A member has another name: `rename('gender', 'sex')`. Works for objects with all their members. */
export function rename(older: string, newer: string): Edit {
  return { kind: 'move', older: parsePath(older), newer: parsePath(newer) };
}

/** A member has another place: `move('phone', 'contact_info.phone')`. */
export const move: (older: string, newer: string) => Edit = rename;

/** Members that stood in the root of the older version lie in an object now: `nest(['email', 'phone'], 'contact')`. */
export function nest(members: readonly string[], into: string): Edit[] {
  return members.map((member) => move(member, `${into}.${parsePath(member).at(-1)}`));
}

/** The reverse of `nest`: members of an object stand in its parent now. */
export function hoist(members: readonly string[], outOf: string): Edit[] {
  const parent = parsePath(outOf).slice(0, -1);
  return members.map((member) => move(`${outOf}.${member}`, [...parent, member].join('.')));
}

/** A member is new. Older versions do not see it; what they create has it as `initially`, if that is given. */
export function added<T>(newer: string, options: { readonly initially?: T } = {}): Edit {
  const { initially } = options;
  return relate({
    older: [],
    newer: [newer],
    down: () => [],
    up: () => [initially],
  });
}

/** A member is gone. Older versions still print it, with a fixed value; what they write to it is not kept. */
export function removed<T extends TSchema>(older: string, schema: T, options: { readonly printed: Static<T> }): Edit {
  return relate({
    older: [{ path: parsePath(older), schema: () => plain(schema), required: true }],
    newer: [],
    down: () => [options.printed],
    up: () => [],
    source: JSON.stringify(options.printed),
  });
}

/**
 * A member takes other words for the same meanings. Every newer word needs an answer in the older version, and every
 * older word one in the newer; `null` stays null. Query filters on the member follow, unless an older word stands for
 * several newer ones: then they end, or with `asked: 'as written'` find what the older word is written as.
 */
export function mapped(
  path: string,
  words: { readonly down: Readonly<Record<string, string>>; readonly up: Readonly<Record<string, string>> },
  options: { readonly asked?: 'as written' } = {},
): Edit {
  const answer = (table: Readonly<Record<string, string>>, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => answer(table, each));
    return typeof value === 'string' ? lookUp(table, value) : value;
  };
  const target = parsePath(path);
  // Where two newer words read the same, only the stored word tells which of them was meant.
  const answers = Object.values(words.down);
  const shared = answers.find((word, index) => answers.indexOf(word) !== index);
  const ambiguous = shared !== undefined;
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([whole]) => {
          // A list of words is mapped word by word.
          const one = whole?.items ?? whole;
          const newer = one?.const === undefined ? one : { ...one, enum: [one.const] };
          if (!newer?.enum) throw new EditRefused(`"${path}" is neither one of a list of words nor a list of such`);
          if (whole?.items && ambiguous)
            throw new EditRefused(
              `"${path}" is a list, of which nothing says which stored word stands behind an older one: every newer word needs an older one of its own`,
            );
          const unanswered = (newer?.enum ?? []).filter(
            (word) => typeof word === 'string' && !Object.hasOwn(words.down, word),
          );
          if (unanswered.length > 0)
            throw new EditRefused(`"${path}": the older version has no answer for ${unanswered.join(', ')}`);
          const older = Object.keys(words.up);
          const unknown = Object.values(words.up).filter((word) => newer?.enum && !newer.enum.includes(word));
          if (unknown.length > 0) throw new EditRefused(`"${path}": the newer version has no ${unknown.join(', ')}`);
          const strange = answers.filter((word) => !older.includes(word));
          if (strange.length > 0) throw new EditRefused(`"${path}": the older version has no ${strange.join(', ')}`);
          if (
            Object.entries({ ...words.down, ...words.up }).every(([from, to]) => from === to) &&
            older.length === newer.enum.filter((word) => word !== null).length
          )
            throw new EditRefused(`"${path}" has the same words in both versions: this changes nothing`);
          const mappedWords = { ...newer, enum: isNullable(newer) ? [...older, null] : older };
          return whole?.items ? { ...whole, items: mappedWords } : mappedWords;
        },
      },
    ],
    newer: [target],
    down: ([value]) => [answer(words.down, value)],
    up: ([value], priors) => {
      const stored = priors?.[0];
      return [typeof stored === 'string' && answer(words.down, stored) === value ? stored : answer(words.up, value)];
    },
    needsPrior: ambiguous,
    ...(shared !== undefined && options.asked === undefined && { shares: shared }),
    looksInside: false,
    source: JSON.stringify(words),
  };
}

function lookUp(table: Readonly<Record<string, string>>, word: string): string {
  const answer = Object.hasOwn(table, word) ? table[word] : undefined;
  if (answer === undefined) throw new EditRefused('a word has no answer');
  return answer;
}

/**
 * A member that is one of a list of words can be other words as well. An object that has one of them is nothing that an
 * older version knows: give the change a `query` edit that keeps such objects from it. Its filters do not take them.
 */
export function valueAdded(path: string, words: readonly string[]): Edit {
  return {
    kind: 'narrow',
    path: parsePath(path),
    schema: (newer) => {
      if (!newer.enum) throw new EditRefused(`"${path}" is not one of a list of words`);
      const missing = words.filter((word) => !newer.enum?.includes(word));
      if (missing.length > 0) throw new EditRefused(`"${path}": the newer version has no ${missing.join(', ')}`);
      const older = newer.enum.filter((word) => typeof word !== 'string' || !words.includes(word));
      if (!older.some((word) => word !== null)) throw new EditRefused(`"${path}": the older version has no word left`);
      return { ...newer, enum: older };
    },
    has: (value) => typeof value !== 'string' || !words.includes(value),
  };
}

/**
 * A member can be null. An object in which it is, is nothing that an older version knows: give the change a `query` edit
 * that keeps such objects from it.
 * @param description the older one, where the newer says when it is null.
 */
export function becameNullable(path: string, description?: string): Edit {
  return {
    kind: 'narrow',
    path: parsePath(path),
    schema: (newer) => {
      if (!isNullable(newer)) throw new EditRefused(`"${path}" is never null in the newer version`);
      return { ...notNull(newer), ...(description !== undefined && { description }) };
    },
    has: (value) => value !== null,
  };
}

/** What a conversion needs: the older schema, and a function for each direction that exists. */
export interface Conversion<Older extends TSchema, Newer extends TSchema> {
  /** The older schema. Null is allowed where the newer member allows it, and never reaches the functions. */
  readonly older: Older;
  /** The newer schema: gives the functions their types. */
  readonly newer: Newer;
  readonly down: (value: Static<Newer>) => Static<Older>;
  /** Absent where clients never write the member. `prior` is the stored value, when the request updates one. */
  readonly up?: (value: Static<Older>, prior: Static<Newer> | undefined) => Static<Newer>;
  readonly needsPrior?: boolean;
  /** Set when a function looks at members of another resource that the member holds or refers to. */
  readonly looksInside?: boolean;
}

/** A member keeps its name and changes its form. */
export function converted<Older extends TSchema, Newer extends TSchema>(
  path: string,
  conversion: Conversion<Older, Newer>,
): Edit {
  const { older, down, up, needsPrior = false, looksInside = false } = conversion;
  const target = parsePath(path);
  const absentOrNull = (value: unknown): value is null | undefined => value === null || value === undefined;
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([newer]) => {
          const schema = plain(older);
          return newer && isNullable(newer) ? nullable(schema) : schema;
        },
      },
    ],
    newer: [target],
    // The validated contract stands for these types: values were checked against the schemas they come from.
    down: ([value]) => [absentOrNull(value) ? value : down(value as Static<Newer>)],
    up:
      up &&
      (([value], priors) => [absentOrNull(value) ? value : up(value as Static<Older>, priors?.[0] as Static<Newer>)]),
    needsPrior,
    looksInside,
    source: String(down),
    written: up ? [down, up] : [down],
  };
}

/** One value that became a list of values. */
export interface Listing<Older extends TSchema, Item extends TSchema> {
  /** Path of the single value in the older version. */
  readonly older: string;
  /** Path of the list in the newer version. */
  readonly newer: string;
  /** Schema of the single value; null is allowed besides. */
  readonly value: Older;
  /** Schema of an entry: gives the functions their types. */
  readonly item: Item;
  /** An entry from the value, keeping what the stored entry has beside it. Left out where they are the same. */
  readonly wrap?: (value: Static<Older>, stored: Static<Item> | undefined) => Static<Item>;
  /** The value of an entry. */
  readonly unwrap?: (item: Static<Item>) => Static<Older>;
}

/**
 * A single value became a list, and the older version sees the first entry. Kept consistent as Kubernetes keeps
 * singular and plural: writing the value that is there already changes nothing, another value replaces the first
 * entry and keeps the others, and null empties the list, because a reader would see the next entry otherwise.
 */
export function listed<Older extends TSchema, Item extends TSchema>(listing: Listing<Older, Item>): Edit {
  const wrap = listing.wrap ?? ((value: Static<Older>) => value as unknown as Static<Item>);
  const unwrap = listing.unwrap ?? ((item: Static<Item>) => item as unknown as Static<Older>);
  return relate({
    older: [
      {
        path: parsePath(listing.older),
        schema: () => nullable(plain(listing.value)),
        required: true,
      },
    ],
    newer: [listing.newer],
    down: ([list]) => {
      const [first] = (list ?? []) as readonly Static<Item>[];
      return [first === undefined ? null : unwrap(first)];
    },
    up: ([value], priors) => {
      const stored = (priors?.[0] ?? []) as readonly Static<Item>[];
      if (value === undefined) return [undefined];
      if (value === null) return [[]];
      const [first, ...others] = stored;
      if (first !== undefined && isDeepStrictEqual(unwrap(first), value)) return [stored];
      // The same value further down was meant: it stands first now, and is not there twice.
      const known = others.find((other) => isDeepStrictEqual(unwrap(other), value));
      const rest = others.filter((other) => !isDeepStrictEqual(unwrap(other), value));
      return [[wrap(value as Static<Older>, known ?? first), ...rest]];
    },
    needsPrior: true,
    source: String(unwrap),
    written: [wrap, unwrap],
  });
}

/** One value that became several. */
export interface Splitting<Whole extends TSchema, Parts extends Readonly<Record<string, TSchema>>> {
  readonly older: string;
  /** Schema of the whole in the older version. */
  readonly whole: Whole;
  /** Newer members by path, each with its schema. */
  readonly parts: Parts;
  readonly join: (parts: { readonly [K in keyof Parts]: Static<Parts[K]> }) => Static<Whole>;
  /** `stored` are the parts as they are now: where joining them gives the same whole, keep them. */
  readonly split: (
    whole: Static<Whole>,
    stored: { readonly [K in keyof Parts]: Static<Parts[K]> } | undefined,
  ) => { readonly [K in keyof Parts]: Static<Parts[K]> };
}

/**
 * A value became several members. What an older client writes back unchanged keeps the stored parts, whatever
 * splitting anew would give.
 */
export function split<Whole extends TSchema, const Parts extends Readonly<Record<string, TSchema>>>(
  splitting: Splitting<Whole, Parts>,
): Edit {
  type Values = { readonly [K in keyof Parts]: Static<Parts[K]> };
  const names = Object.keys(splitting.parts);
  const toValues = (list: readonly unknown[]): Values =>
    Object.fromEntries(names.map((name, index) => [name, list[index]])) as Values;
  return relate({
    older: [{ path: splitting.older, schema: splitting.whole }],
    newer: names,
    down: (parts) => [splitting.join(toValues(parts))],
    up: ([whole], priors) => {
      if (whole === undefined || whole === null) return names.map(() => whole);
      const stored = priors === undefined ? undefined : toValues(priors);
      if (stored && isDeepStrictEqual(splitting.join(stored), whole)) return priors as readonly unknown[];
      const parts = splitting.split(whole as Static<Whole>, stored);
      return names.map((name) => parts[name as keyof Parts]);
    },
    needsPrior: true,
    source: String(splitting.join),
    written: [splitting.join, splitting.split],
  });
}

/** Several values that became one: the reverse of `split`. A partial write of one part reads the stored whole first. */
export function joined<Whole extends TSchema, const Parts extends Readonly<Record<string, TSchema>>>(joining: {
  /** Older members by path, each with its schema. */
  readonly parts: Parts;
  readonly newer: string;
  readonly whole: Whole;
  readonly split: (whole: Static<Whole>) => { readonly [K in keyof Parts]: Static<Parts[K]> };
  readonly join: (parts: { readonly [K in keyof Parts]: Static<Parts[K]> }) => Static<Whole>;
}): Edit {
  type Values = { readonly [K in keyof Parts]: Static<Parts[K]> };
  const names = Object.keys(joining.parts);
  return relate({
    older: names.map((path) => ({ path, schema: joining.parts[path] as TSchema })),
    newer: [joining.newer],
    down: ([whole]) => {
      if (whole === undefined || whole === null) return names.map(() => whole);
      const parts = joining.split(whole as Static<Whole>);
      return names.map((name) => parts[name as keyof Parts]);
    },
    up: (parts) => {
      if (parts.every((part) => part === undefined)) return [undefined];
      return [joining.join(Object.fromEntries(names.map((name, index) => [name, parts[index]])) as Values)];
    },
    source: String(joining.split),
    written: [joining.split, joining.join],
  });
}

/**
 * The plain pair of functions, which declares what it touches: some members of the older version, some of the
 * newer, and a function for each direction. For what no other description says.
 */
export function relate(description: {
  readonly older: readonly (
    | OlderMember
    | { readonly path: string; readonly schema: TSchema; readonly required?: boolean }
  )[];
  readonly newer: readonly string[];
  readonly down: Converter;
  readonly up?: Converter;
  readonly needsPrior?: boolean;
  readonly looksInside?: boolean;
  readonly source?: string;
  readonly written?: Relate['written'];
}): Relate {
  return {
    kind: 'relate',
    older: description.older.map((member) =>
      typeof member.path === 'string'
        ? {
            path: parsePath(member.path),
            schema: () => plain(member.schema as TSchema),
            required: member.required ?? true,
          }
        : (member as OlderMember),
    ),
    newer: description.newer.map(parsePath),
    down: description.down,
    up: description.up,
    needsPrior: description.needsPrior ?? false,
    looksInside: description.looksInside ?? false,
    ...(description.source !== undefined && { source: description.source }),
    ...(description.written !== undefined && { written: description.written }),
  };
}

/** A schema as plain JSON; a schema with an `$id` is meant as a reference to that resource. */
export function plain(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
