import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonSchema, type JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import type { Edit } from './edit.ts';
import { EditRefused } from './failures.ts';
import { parsePath } from './path.ts';

/** The ways to describe a member that is the same and follows other rules: whether it is needed, and what it may be. */

/** A member that could be left out must be given now. What older clients leave out is written as `initially`. */
export function becameRequired(path: string, initially: JsonValue): Edit {
  return {
    kind: 'fill',
    path: parsePath(path),
    before: initially,
    schema: (newer) => {
      checkFits(path, newer, initially);
      return newer;
    },
    required: false,
  };
}

/**
 * A union has more alternatives: `{ resource: 'Finding', edits: [alternativeAdded('image')] }`. What is one of them is left
 * out of every list and stream of an older version, and is not found when it is asked for by itself.
 */
export function alternativeAdded(...words: readonly string[]): Edit {
  let told: string | undefined;
  return {
    kind: 'narrow',
    path: [],
    schema: (newer) => {
      const { discriminator, oneOf } = newer;
      if (!discriminator?.mapping || !oneOf) throw new EditRefused('it is no union whose members are told apart');
      const { mapping } = discriminator;
      const missing = words.filter((word) => !Object.hasOwn(mapping, word));
      if (missing.length > 0) throw new EditRefused(`the newer union has no ${missing.join(', ')}`);
      const kept = Object.entries(mapping).filter(([word]) => !words.includes(word));
      if (kept.length === 0) throw new EditRefused('the older union has no alternative left');
      told = discriminator.propertyName;
      const refs = kept.map(([, ref]) => ref);
      return {
        ...newer,
        oneOf: oneOf.filter(({ $ref }) => $ref === undefined || refs.includes($ref)),
        discriminator: { ...discriminator, mapping: Object.fromEntries(kept) },
      };
    },
    has: (value) => told === undefined || !isObject(value) || !words.includes(String(value[told])),
  };
}

/**
 * A list of words can hold others as well. Older versions are shown the list without them, and what they write keeps
 * those that are stored.
 */
export function wordsAdded(path: string, words: readonly string[]): Edit {
  const isNew = (word: unknown): boolean => typeof word === 'string' && words.includes(word);
  const target = parsePath(path);
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([newer = {}]) => {
          if (!newer.items?.enum) throw new EditRefused(`"${path}" is no list of words`);
          const missing = words.filter((word) => !newer.items?.enum?.includes(word));
          if (missing.length > 0) throw new EditRefused(`"${path}": the newer version has no ${missing.join(', ')}`);
          if (newer.minItems)
            throw new EditRefused(
              `"${path}" has ${newer.minItems} entries at least: without the new words it may have fewer`,
            );
          const known = (values: readonly JsonValue[]): JsonValue[] => values.filter((value) => !isNew(value));
          const examples = newer.examples?.map((each) => (Array.isArray(each) ? known(each) : each));
          return {
            ...newer,
            items: { ...newer.items, enum: known(newer.items.enum) },
            ...(examples && { examples }),
          };
        },
      },
    ],
    newer: [target],
    down: ([list]) => [Array.isArray(list) ? list.filter((word) => !isNew(word)) : list],
    up: ([list], priors) => {
      const stored = priors?.[0];
      // Written back as it was read, the order of the stored list stays as well.
      if (
        Array.isArray(stored) &&
        isDeepStrictEqual(
          stored.filter((word) => !isNew(word)),
          list,
        )
      )
        return [stored];
      const kept = Array.isArray(stored) ? stored.filter(isNew) : [];
      return [Array.isArray(list) ? [...list, ...kept] : kept.length > 0 && list === null ? kept : list];
    },
    needsPrior: true,
    looksInside: false,
    source: JSON.stringify(words),
  };
}

/**
 * A member takes less than it did: shorter texts, smaller numbers, fewer entries. What an older client may still write is
 * made one that head takes by `fit`; what head takes already is the same.
 * @param before the rules of the older version; what is not named is as it is.
 */
export function tightened<T>(path: string, before: Limits, fit: (value: T) => T): Edit {
  const target = parsePath(path);
  let takes: ((value: unknown) => boolean) | undefined;
  const isFine = (value: unknown): boolean => value === undefined || value === null || takes?.(value) !== false;
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([newer = {}]) => {
          const older = { ...newer, ...before };
          if (isDeepStrictEqual(older, newer))
            throw new EditRefused(`"${path}" has the same rules in both versions: this changes nothing`);
          const validator = createValidator(new Map([['Value', { ...newer, $id: 'Value' }]]));
          takes = (value) => validator.body('Value', value).length === 0;
          return older;
        },
      },
    ],
    newer: [target],
    down: ([value]) => [value],
    up: ([value]) => [isFine(value) ? value : fit(value as T)],
    needsPrior: false,
    looksInside: false,
    source: JSON.stringify(before),
    written: [fit],
    keeps: isFine,
  };
}

/** A member that is left out means something else now. What older clients leave out is written as `before`. */
export function changedDefault(path: string, before: JsonValue): Edit {
  return {
    kind: 'fill',
    path: parsePath(path),
    before,
    schema: (newer) => {
      checkFits(path, newer, before);
      if (newer.default !== undefined && isDeepStrictEqual(newer.default, before))
        throw new EditRefused(`"${path}": ${JSON.stringify(before)} is what leaving it out means now`);
      return newer.default === undefined ? newer : { ...newer, default: before };
    },
    required: undefined,
  };
}

/** The rules that a value can have. */
type Limits = Pick<
  JsonSchema,
  'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'pattern' | 'format' | 'minItems' | 'maxItems' | 'multipleOf'
>;

/**
 * A member takes more than it did: longer texts, larger numbers, more entries. An older client is shown what `shown`
 * makes of a value that its version does not allow, and what it writes back unchanged keeps the stored value.
 * @param before the rules of the older version; what is not named is as it is.
 */
export function widened<T>(path: string, before: Limits, shown: (value: T) => T): Edit {
  const target = parsePath(path);
  let allows: ((value: unknown) => boolean) | undefined;
  const show = (value: unknown): unknown =>
    value === undefined || value === null || allows?.(value) ? value : shown(value as T);
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([newer = {}]) => {
          const { description, ...older } = { ...newer, ...before };
          if (isDeepStrictEqual({ ...newer, ...before }, newer))
            throw new EditRefused(`"${path}" has the same rules in both versions: this changes nothing`);
          const validator = createValidator(new Map([['Value', { ...older, $id: 'Value' }]]));
          allows = (value) => validator.body('Value', value).length === 0;
          return { ...older, ...(description !== undefined && { description }) };
        },
      },
    ],
    newer: [target],
    down: ([value]) => [show(value)],
    up: ([value], priors) => {
      const stored = priors?.[0];
      const isKept = stored !== undefined && stored !== null && isDeepStrictEqual(show(stored), value);
      return [isKept ? stored : value];
    },
    needsPrior: true,
    looksInside: false,
    source: JSON.stringify(before) + String(shown),
    written: [shown],
  };
}

function checkFits(path: string, schema: JsonSchema, value: JsonValue): void {
  // What refers to another resource is checked where it is written.
  if (JSON.stringify(schema).includes('"$ref"')) return;
  const [fault] = createValidator(new Map([['Value', { ...schema, $id: 'Value' }]])).body('Value', value);
  if (fault) throw new EditRefused(`"${path}": the newer version refuses ${JSON.stringify(value)} (${fault.code})`);
}
