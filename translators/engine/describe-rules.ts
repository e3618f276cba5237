import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, JsonValue } from '@perennial/schemas/platform/json-schema.ts';
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
