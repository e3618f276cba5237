import type { Contract } from '@perennial/schemas/contract.ts';
import { type JsonSchema, membersOf } from '@perennial/schemas/platform/json-schema.ts';
import type { Catalogue } from '../engine/catalogue.ts';

/** A word that is asked for in an older version, and would find only some of what reads so there. */
export interface SharedWord {
  /** `release/change`. */
  readonly change: string;
  /** The resource in which the word is asked for. */
  readonly place: string;
  readonly message: string;
}

/** Words that stand for several newer ones where a field's value is asked for beside its name (`x-value-of`). */
export function sharedWords({ steps, contracts }: Catalogue): readonly SharedWord[] {
  return steps.flatMap((step, level) => {
    const { resources } = contracts[level + 1] as Contract;
    return [...step.edits].flatMap(([resource, edits]) =>
      edits.flatMap((edit) => {
        if (edit.kind !== 'relate' || edit.shares === undefined) return [];
        const field = `${resource}.${edit.newer[0]?.join('.')}`;
        return [...resources].flatMap(([name, schema]) =>
          asksFor(schema, resource, edit.newer[0]?.join('.') ?? '')
            ? [
                {
                  change: step.name,
                  place: name,
                  message: `"${edit.shares}" of ${field} reads so for several newer words: who asks for it would find one of them; mapped(…, { asked: 'as written' }) says that this is meant`,
                },
              ]
            : [],
        );
      }),
    );
  });
}

/** Whether values of a field can be named beside its name somewhere in a schema. */
function asksFor(schema: JsonSchema, resource: string, field: string): boolean {
  const names = Object.values(schema.properties ?? {}).flatMap((member) =>
    member['x-value-of'] === undefined ? [] : [schema.properties?.[member['x-value-of']]],
  );
  return (
    names.some((named) => named?.['x-field-of'] === resource && named.enum?.includes(field)) ||
    membersOf(schema).some((each) => asksFor(each, resource, field))
  );
}
