import type { Difference } from '../contract/difference.ts';

/** Which description keeps a breaking difference from older versions: by what the difference says. */
const recipes: readonly (readonly [RegExp, string])[] = [
  [
    /^operation removed/,
    'keep the operation in schemas and core, and end it: `ended(operation)` in the release that no longer has it',
  ],
  [/^path changed/, 'describe it: `movedPath(operation, older path)`'],
  [/^method changed/, 'describe it: `changedMethod(operation, older method)`'],
  [/^(status|answers)/, 'describe it: `changedStatus(operation, older status)`'],
  [/^field removed/, 'describe where it went: `rename`, `move`, `split`, `listed`, or `removed` if it is gone'],
  [/values? removed|takes only/, 'describe it: `mapped`, with a word for each of the older ones'],
  [
    /values? added/,
    'describe it: `mapped` where they mean an older one, `valueAdded` where older versions must not see it',
  ],
  [/null/, 'describe it: `becameNullable`, or `converted` with what older versions read in its place'],
  [/required/, 'describe it: `added` with `initially`, or `becameRequired`, so that what older versions write has it'],
  [/default/, 'describe it: `changedDefault`, or `changedParameterDefault` for a parameter'],
  [/Length|imum|Items|multipleOf/, 'describe it: `widened`, with what older versions are shown of a value that is new'],
  [
    /sort|order/,
    'keep the member at head: an order follows `rename` and `move`, and no description makes one out of others',
  ],
  [
    /parameter/,
    'describe it: a filter follows its field where it can be asked at head, any other takes `renamedParameter` or `relatedParameters`',
  ],
  [/error/, 'describe it: `renamedError(older code, newer code)`'],
  [/type|format|pattern/, 'describe it: `converted`, with a function for each direction'],
];

/** What to do about a breaking difference, in one clause. */
export function recipeOf({ text }: Difference): string {
  const [, recipe] = recipes.find(([pattern]) => pattern.test(text)) ?? [];
  return `${recipe ?? 'a change of the new release must say how older versions are served'} (translators/README.md)`;
}
