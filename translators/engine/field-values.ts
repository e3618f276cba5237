import type { Contract } from '@perennial/schemas/contract.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import type { Catalogue } from './catalogue.ts';
import { evaluate } from './evaluate.ts';
import { inputsOf, isSame } from './expression.ts';
import { formatPath, type Path } from './path.ts';
import { fuse, type Run } from './run.ts';
import { eachLeaf, identityTree, type Leaf, nodeAt, schemaOf } from './tree.ts';
import { type ConvertValue, valueConversion } from './values.ts';

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
  const { resources } = catalogue.contracts[direction === 'down' ? run.newer : run.older] as Contract;
  const source = identityTree(resources.get(resource) as JsonSchema);
  const converted = new Map<string, { readonly leaf: Leaf; readonly inputs: readonly Path[]; readonly is: Is }>();
  eachLeaf(fuse(catalogue, run, resource)[direction], (leaf) => {
    if (isSame(leaf.from)) return;
    const inputs = inputsOf(leaf.from);
    for (const input of inputs) {
      const name = formatPath(input);
      const node = nodeAt(source, input);
      if (node && !converted.has(name)) converted.set(name, { leaf, inputs, is: checkOf(schemaOf(node)) });
    }
  });
  const texts = new Map<string, ConvertValue>();
  eachLeaf(source, ({ schema }, path) => {
    const convert = valueConversion(catalogue, run, schema.items ?? schema, direction);
    if (convert) texts.set(formatPath(path), convert);
  });
  if (converted.size === 0 && texts.size === 0) return undefined;
  return (field, value) => {
    const text = typeof field === 'string' ? texts.get(field) : undefined;
    if (text) return Array.isArray(value) ? value.map(text) : text(value);
    const known = typeof field === 'string' ? converted.get(field) : undefined;
    if (!known || value === null || value === undefined) return value;
    const { leaf, inputs, is } = known;
    // Nothing has checked that it is a value of that field: what is none, or does not convert alone and to one value,
    // is left to core, which says whether it can be compared with.
    if (inputs.length > 1 || !is(value)) return value;
    const result = evaluate(leaf.from, nested(inputs[0] as Path, value));
    return typeof result === 'object' || result === undefined ? value : result;
  };
}

type Is = (value: unknown) => boolean;

/** Whether something is a value of a field. What refers to other resources is no single value. */
function checkOf(schema: JsonSchema): Is {
  if (JSON.stringify(schema).includes('"$ref"')) return () => false;
  const validator = createValidator(new Map([['Value', { ...schema, $id: 'Value' }]]));
  return (value) => validator.body('Value', value).length === 0;
}

function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}
