import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { isObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { ChangeExample, RequestExample, ResourceExample, ValueExample } from '../engine/change.ts';
import { compile } from '../engine/compile.ts';
import { createExamples } from './examples.ts';
import { stepQuery } from './trace.ts';

/** Why the examples of a change are not what the change does; empty when they are. Each names what is wrong. */
export function exampleFaults(catalogue: Catalogue, level: number): readonly string[] {
  const step = catalogue.steps[level];
  return (step?.examples ?? []).flatMap((example: ChangeExample, index) => {
    const faults =
      'resource' in example
        ? resourceFaults(catalogue, level, example)
        : 'value' in example
          ? valueFaults(catalogue, level, example)
          : 'operation' in example
            ? requestFaults(catalogue, level, example)
            : [];
    return faults.map((fault) => `${step?.name}, example ${index + 1}: ${fault}`);
  });
}

function resourceFaults(catalogue: Catalogue, level: number, example: ResourceExample): readonly string[] {
  const { older, newer, only, ways = 'both' } = example;
  const resource = only === undefined ? example.resource : catalogue.nameIn(only, example.resource);
  const run = { older: level, newer: level + 1 };
  const faults: string[] = [];
  for (const direction of ['down', 'up'] as const) {
    if (ways !== 'both' && ways !== direction) continue;
    const [from, to] = direction === 'down' ? [newer, older] : [older, newer];
    const { resources } = catalogue.contracts[direction === 'down' ? run.newer : run.older] as Contract;
    if (!resources.has(resource)) return [`there is no resource ${resource}`];
    const ref = direction === 'down' ? resource : `${resource}.create`;
    const strange = strangeMember(resources.get(resource) as JsonSchema, from);
    if (strange !== undefined) {
      faults.push(`${resource} has no member ${strange} ${direction === 'down' ? 'after' : 'before'} the change`);
      continue;
    }
    const body = laidOver(createExamples(resources).of(ref), from);
    const made: unknown = JSON.parse(JSON.stringify(compile(catalogue, run, ref, direction)(body)));
    const got = partLike(made, from, to);
    if (!isDeepStrictEqual(got, plain(to)))
      faults.push(
        `of ${JSON.stringify(from)} ${direction === 'down' ? 'an older client reads' : 'head gets'} ${JSON.stringify(got)}, not ${JSON.stringify(to)}`,
      );
  }
  return faults;
}

/** The first member of an example that its schema does not have. */
function strangeMember(schema: JsonSchema, example: unknown): string | undefined {
  if (!isObject(example) || !schema.properties) return undefined;
  for (const [name, value] of Object.entries(example)) {
    const member = schema.properties[name];
    if (!member) return name;
    const inner = strangeMember(member, value);
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return undefined;
}

/** The part of a body that either side of an example speaks of. */
function partLike(body: unknown, from: unknown, to: unknown): unknown {
  if (!isObject(body)) return body;
  const names = new Set([...(isObject(from) ? Object.keys(from) : []), ...(isObject(to) ? Object.keys(to) : [])]);
  if (!isObject(to)) return body;
  return Object.fromEntries(
    [...names].flatMap((name): [string, unknown][] => {
      if (!Object.hasOwn(body, name)) return [];
      const wanted = to[name];
      const given = isObject(from) ? from[name] : undefined;
      return [[name, isObject(wanted) ? partLike(body[name], given, wanted) : body[name]]];
    }),
  );
}

function laidOver(value: unknown, part: unknown): unknown {
  if (!isObject(value) || !isObject(part)) return plain(part);
  return {
    ...value,
    ...Object.fromEntries(Object.entries(part).map(([name, each]) => [name, laidOver(value[name], each)])),
  };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function valueFaults(catalogue: Catalogue, level: number, { value, older, newer }: ValueExample): readonly string[] {
  const edit = catalogue.steps[level]?.values.find(({ of }) => of === value);
  if (!edit) return [`the change does not speak of ${value}`];
  const [down, up] = [edit.down(newer), edit.up(older)];
  return [
    ...(down === older ? [] : [`of ${newer} an older client reads ${down ?? 'nothing'}, not ${older}`]),
    ...(up === newer ? [] : [`of ${older} head gets ${up}, not ${newer}`]),
  ];
}

function requestFaults(catalogue: Catalogue, level: number, example: RequestExample): readonly string[] {
  const sides = ([example.older, example.newer] as const).map((text, index) => {
    const contract = catalogue.contracts[level + index] as Contract;
    return requestOf(contract, example.operation, text);
  });
  const [older, newer] = sides;
  if (typeof older === 'string') return [older];
  if (typeof newer === 'string') return [newer];
  if (!older || !newer) return [];
  const { query, offset } = stepQuery(catalogue, level, example.operation, older.values) ?? { query: older.values };
  const got: Record<string, unknown> = { ...query };
  const wanted = { ...newer.values };
  const position = newer.operation.parameters.find(({ isPosition }) => isPosition)?.name;
  if (offset !== undefined && position !== undefined) got[position] = wanted[position];
  return isDeepStrictEqual(got, wanted)
    ? []
    : [`of ${example.older} head is asked ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`];
}

function requestOf(
  contract: Contract,
  id: string,
  text: string,
): { readonly operation: Operation; readonly values: Readonly<Record<string, string | number | boolean>> } | string {
  const operation = contract.operations.find((each) => each.id === id);
  if (!operation) return `there is no operation ${id}`;
  const [method, target = ''] = text.split(' ');
  const [path = '', search = ''] = target.split('?');
  const template = operation.path.replace(/\{[^}]+\}/g, '[^/]+');
  if (method !== operation.method || !new RegExp(`^${template}$`).test(path))
    return `${id} is ${operation.method} ${operation.path}, not ${method} ${path}`;
  const { faults, values } = createValidator(contract.resources).query(operation, new URLSearchParams(search));
  // An example says what it is about, and not what else must be sent.
  const [fault] = faults.filter(({ code }) => code !== 'required');
  return fault ? `${text}: ${fault.parameter}: ${fault.message}` : { operation, values };
}
