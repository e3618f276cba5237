import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { type JsonSchema, mapSchemas } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { ReleaseChanges } from './change.ts';
import { reachable } from './step.ts';

/**
 * Changes of one operation only. A resource that an operation has in a form of its own at some version is a resource of
 * its own to the engine, at every version; where both are the same, nobody is told that there are two.
 */
export interface Scopes {
  /** Head as the engine sees it. */
  readonly head: Contract;
  /** The engine's names of a resource, itself first. */
  aliasesOf(resource: string): readonly string[];
  /** The engine's name of a resource in an operation. */
  nameIn(operation: string, resource: string): string;
  /** What a resource is another form of; itself where it is none. */
  originalOf(resource: string): string;
  /** A contract as clients are told of it: names that mean the same are one. */
  published(contract: Contract): Contract;
}

/** Resources that belong to every operation alike. */
const COMMON: readonly string[] = ['Page', 'ErrorBody', 'ErrorDetail'];

/** Finds the edits of one operation among the changes, and gives head the resources that they need. */
export function scopesOf(head: Contract, releases: readonly ReleaseChanges[], faults: string[]): Scopes {
  // By operation: the resources that change in it, each with the change that says so.
  const wanted = new Map<string, Map<string, string>>();
  for (const { id, changes } of releases)
    for (const change of changes)
      for (const { resource, only = [] } of change.resources ?? [])
        for (const operation of only) {
          const name = `${id}/${change.id}`;
          if (COMMON.includes(resource))
            faults.push(`change ${name}: ${resource} is the same in every operation, and cannot change in one only`);
          else if (!head.operations.some((each) => each.id === operation))
            faults.push(`change ${name} matches nothing: there is no operation ${operation}`);
          else wanted.set(operation, (wanted.get(operation) ?? new Map<string, string>()).set(resource, name));
        }
  const resources = new Map(head.resources);
  const originals = new Map<string, string>();
  const operations = head.operations.map((operation) => {
    const own = wanted.get(operation.id);
    if (!own) return operation;
    const concerned = leadingTo(head, operation, new Set(own.keys()));
    for (const [resource, change] of own)
      if (!concerned.has(resource)) faults.push(`change ${change} matches nothing: ${operation.id} has no ${resource}`);
    const rename = renaming((resource) => (concerned.has(resource) ? aliasOf(operation.id, resource) : resource));
    for (const resource of concerned) {
      const alias = aliasOf(operation.id, resource);
      originals.set(alias, resource);
      resources.set(alias, { ...rename.schema(head.resources.get(resource) as JsonSchema), $id: alias });
    }
    return rename.operation(operation);
  });
  const aliases = new Map<string, string[]>();
  for (const [alias, original] of originals) aliases.set(original, [...(aliases.get(original) ?? []), alias]);
  return {
    head: originals.size === 0 ? head : { resources, operations },
    aliasesOf: (resource) => [resource, ...(aliases.get(resource) ?? [])],
    nameIn: (operation, resource) => {
      const alias = aliasOf(operation, resource);
      return originals.has(alias) ? alias : resource;
    },
    originalOf: (resource) => originals.get(resource) ?? resource,
    published: (contract) => (originals.size === 0 ? contract : withoutAliases(contract, originals)),
  };
}

/** `PatientInPatientsSearch`: the name of a resource in an operation that has it in a form of its own. */
function aliasOf(operation: string, resource: string): string {
  const words = operation.split('.').map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  return `${resource}In${words.join('')}`;
}

/** The resources of an operation that lead to one of some, those included. */
function leadingTo(head: Contract, operation: Operation, some: ReadonlySet<string>): ReadonlySet<string> {
  const { body, response } = operation;
  const refs = [body?.ref, body?.elements?.ref, response.ref, ...Object.values(response.events ?? {})];
  const found = new Set<string>();
  for (const ref of refs)
    for (const resource of ref === undefined ? [] : reachable(head, ref))
      if (!COMMON.includes(resource) && [...reachable(head, resource)].some((each) => some.has(each)))
        found.add(resource);
  return found;
}

/** Other names for resources, in all that refers to them. */
function renaming(name: (resource: string) => string): {
  schema(schema: JsonSchema): JsonSchema;
  operation(operation: Operation): Operation;
} {
  const ref = (each: string): string => {
    if (each === '#item') return each;
    const { resource, variant } = parseRef(each);
    return variant === undefined ? name(resource) : `${name(resource)}.${variant}`;
  };
  const schema = (whole: JsonSchema): JsonSchema =>
    mapSchemas(whole, (each) => ({
      ...each,
      ...(each.$ref !== undefined && { $ref: ref(each.$ref) }),
      ...(each.discriminator?.mapping && {
        discriminator: {
          ...each.discriminator,
          mapping: Object.fromEntries(
            Object.entries(each.discriminator.mapping).map(([word, member]) => [word, ref(member)]),
          ),
        },
      }),
      ...(each['x-field-of'] !== undefined && { 'x-field-of': name(each['x-field-of']) }),
      ...(each['x-pointers'] && { 'x-pointers': { ...each['x-pointers'], into: ref(each['x-pointers'].into) } }),
    }));
  return {
    schema,
    operation: ({ body, response, parameters, ...operation }) => ({
      ...operation,
      parameters: parameters.map((parameter) =>
        parameter.link
          ? { ...parameter, link: { ...parameter.link, resource: name(parameter.link.resource) } }
          : parameter,
      ),
      ...(body && {
        body: {
          ...body,
          ref: ref(body.ref),
          ...(body.elements && { elements: { ...body.elements, ref: ref(body.elements.ref) } }),
        },
      }),
      response: {
        ...response,
        ...(response.ref !== undefined && { ref: ref(response.ref) }),
        ...(response.events && {
          events: Object.fromEntries(Object.entries(response.events).map(([event, each]) => [event, ref(each)])),
        }),
      },
    }),
  };
}

/** The contract in which only those aliases are left that differ from what they stand for. */
function withoutAliases(contract: Contract, originals: ReadonlyMap<string, string>): Contract {
  const same = new Set(originals.keys());
  const back = renaming((resource) => (same.has(resource) ? (originals.get(resource) as string) : resource));
  for (let before = -1; before !== same.size; ) {
    before = same.size;
    for (const [alias, original] of originals) {
      const schema = contract.resources.get(alias);
      const other = contract.resources.get(original);
      if (!schema || !other || !same.has(alias)) continue;
      if (!isDeepStrictEqual({ ...back.schema(schema), $id: original }, other)) same.delete(alias);
    }
  }
  return {
    resources: new Map(
      [...contract.resources].flatMap(([name, schema]) =>
        same.has(name) ? [] : [[name, back.schema(schema)] as const],
      ),
    ),
    operations: contract.operations.map(back.operation),
  };
}

/** The contract in which resources have the names that clients of a version know. */
export function withOlderNames(contract: Contract, names: ReadonlyMap<string, string>): Contract {
  if (names.size === 0) return contract;
  const older = renaming((resource) => names.get(resource) ?? resource);
  return {
    resources: new Map(
      [...contract.resources].map(([name, schema]) => {
        const other = names.get(name);
        return other === undefined
          ? [name, older.schema(schema)]
          : [other, { ...older.schema(schema), $id: other, ...(schema.title === name && { title: other }) }];
      }),
    ),
    operations: contract.operations.map(older.operation),
  };
}
