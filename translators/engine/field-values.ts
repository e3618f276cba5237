import type { Catalogue } from './catalogue.ts';
import { evaluate } from './evaluate.ts';
import { inputsOf, isSame } from './expression.ts';
import { TranslationFailed } from './failures.ts';
import { formatPath, type Path } from './path.ts';
import { fuse, type Run } from './run.ts';
import { eachLeaf, type Leaf } from './tree.ts';

/**
 * Values of a field that is named beside them (`x-value-of`), such as what a cohort's criterion compares with: they are
 * converted as the field itself is.
 */

/**
 * The conversion across a run, given the field's name on the side that the value comes from; undefined where no field
 * of the resource is converted.
 */
export function fieldValues(
  catalogue: Catalogue,
  run: Run,
  resource: string,
  direction: 'down' | 'up',
): ((field: unknown, value: unknown) => unknown) | undefined {
  const converted = new Map<string, { readonly leaf: Leaf; readonly inputs: readonly Path[] }>();
  eachLeaf(fuse(catalogue, run, resource)[direction], (leaf) => {
    if (isSame(leaf.from)) return;
    const inputs = inputsOf(leaf.from);
    for (const input of inputs) {
      const name = formatPath(input);
      if (!converted.has(name)) converted.set(name, { leaf, inputs });
    }
  });
  if (converted.size === 0) return undefined;
  return (field, value) => {
    const known = typeof field === 'string' ? converted.get(field) : undefined;
    if (!known || value === null || value === undefined) return value;
    const { leaf, inputs } = known;
    // What does not convert alone, or to one value, is left to core, which says whether it can be compared with.
    if (inputs.length > 1) return value;
    try {
      const result = evaluate(leaf.from, nested(inputs[0] as Path, value));
      return typeof result === 'object' || result === undefined ? value : result;
    } catch (error) {
      // Nothing has checked that it is a value of that field at all: core refuses it as the client's fault.
      if (error instanceof TranslationFailed) return value;
      throw error;
    }
  };
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}
