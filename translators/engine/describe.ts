import type { JsonSchema } from '@perennial/schemas/json-schema.ts';
import { isNullable, nullable } from '@perennial/schemas/json-schema.ts';
import type { Static, TSchema } from 'typebox';
import type { Edit, OlderMember, Relate } from './edit.ts';
import type { Converter } from './expression.ts';
import { EditRefused } from './failures.ts';
import { parsePath } from './path.ts';

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
  });
}

/**
 * A member takes other words for the same meanings. Every newer word needs an answer in the older version, and every
 * older word one in the newer; `null` stays null. Query filters on the member follow.
 */
export function mapped(
  path: string,
  words: { readonly down: Readonly<Record<string, string>>; readonly up: Readonly<Record<string, string>> },
): Edit {
  const convert =
    (table: Readonly<Record<string, string>>): Converter =>
    ([value]) => [typeof value === 'string' ? lookUp(table, value) : value];
  const target = parsePath(path);
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([newer]) => {
          const unanswered = (newer?.enum ?? []).filter(
            (word) => typeof word === 'string' && !Object.hasOwn(words.down, word),
          );
          if (unanswered.length > 0)
            throw new EditRefused(`"${path}": the older version has no answer for ${unanswered.join(', ')}`);
          const older = Object.keys(words.up);
          return { ...newer, enum: newer && isNullable(newer) ? [...older, null] : older };
        },
      },
    ],
    newer: [target],
    down: convert(words.down),
    up: convert(words.up),
    needsPrior: false,
    looksInside: false,
  };
}

function lookUp(table: Readonly<Record<string, string>>, word: string): string {
  const answer = Object.hasOwn(table, word) ? table[word] : undefined;
  if (answer === undefined) throw new EditRefused('a word has no answer');
  return answer;
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
  };
}

/** The general form: some members of the older version, some of the newer, and a function for each direction. */
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
  };
}

/** A schema as plain JSON; a schema with an `$id` is meant as a reference to that resource. */
export function plain(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}
