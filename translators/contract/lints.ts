import type { Contract } from '@perennial/schemas/contract.ts';
import { isInlineObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createExamples, ExampleMissing } from './examples.ts';

/** A rule of the contract that a schema or an operation does not keep. */
export interface LintFinding {
  /** `Patient.contact_info` or `patients.list`. */
  readonly place: string;
  readonly message: string;
}

/**
 * The rules of the contract that types cannot hold: everything has an id and a description, a resource is
 * referred to and never copied, a union says how its members are told apart, and examples are what they show.
 */
export function lintContract(contract: Contract): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const report = (place: string, message: string): void => {
    findings.push({ place, message });
  };
  const copies = new Map<string, string>();
  for (const [id, schema] of contract.resources) {
    const names = Object.keys(schema.properties ?? {});
    if (names.length > 1) copies.set(fingerprint(names), id);
  }
  const examples = createExamples(contract.resources);
  for (const [id, schema] of contract.resources) {
    if (schema.$id !== id)
      report(id, `is registered under another name than its $id, ${schema.$id ?? 'which it lacks'}`);
    if (isBlank(schema.description)) report(id, 'has no description');
    lintSchema(id, schema, true, copies, report);
    for (const example of schema.examples ?? [])
      for (const fault of examples.faults(schema, example)) report(id, `its example is not what it says: ${fault}`);
  }
  const refs: string[] = [];
  for (const operation of contract.operations) {
    if (isBlank(operation.summary)) report(operation.id, 'has no summary');
    if (isBlank(operation.response.description)) report(operation.id, 'has no description of its answer');
    for (const parameter of operation.parameters)
      if (isBlank(parameter.description)) report(operation.id, `parameter ${parameter.name} has no description`);
    for (const ref of [operation.body?.ref, operation.response.ref, ...Object.values(operation.response.events ?? {})])
      if (ref !== undefined) refs.push(ref);
  }
  for (const ref of refs)
    try {
      for (const fault of examples.faults({ $ref: ref }, examples.of(ref)))
        report(ref, `no valid example could be made: ${fault}; give it one`);
    } catch (error) {
      if (!(error instanceof ExampleMissing)) throw error;
      report(ref, error.message);
    }
  return findings;

  function lintSchema(
    place: string,
    schema: JsonSchema,
    isResource: boolean,
    known: ReadonlyMap<string, string>,
    say: (place: string, message: string) => void,
  ): void {
    for (const keyword of Object.keys(schema))
      if (!VOCABULARY.has(keyword))
        say(place, `uses ${keyword}, which derivation and comparison of contracts do not know`);
    if (!isResource && isInlineObject(schema)) {
      const names = Object.keys(schema.properties ?? {});
      const original = known.get(fingerprint(names));
      if (original !== undefined)
        say(place, `is a copy of ${original}; refer to it, or changes of ${original} miss it`);
    }
    const speaksOf = schema['x-field-of'];
    if (speaksOf !== undefined && !contract.resources.has(speaksOf))
      say(place, `names fields of ${speaksOf}, which is no resource`);
    else if (speaksOf !== undefined)
      for (const name of [...(schema.enum ?? []), ...(schema.examples ?? [])])
        if (typeof name === 'string' && !hasField(contract, { $ref: speaksOf }, name.split('.')))
          say(place, `names ${name}, which is no field of ${speaksOf}: it would not follow that field's renames`);
    const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null');
    if (alternatives.length > 1 && !schema.discriminator)
      say(place, 'is a union without a discriminator: nothing says which of its members a value is');
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const at = `${place}.${name}`;
      if (isBlank(describedBy(member))) say(at, 'has no description');
      const beside = member['x-value-of'];
      if (beside !== undefined && schema.properties?.[beside]?.['x-field-of'] === undefined)
        say(at, `is a value of the field that ${beside} names, which names none`);
      for (const example of member.examples ?? [])
        for (const fault of examples.faults(member, example)) say(at, `its example is not what it says: ${fault}`);
      lintSchema(at, member, false, known, say);
    }
    if (schema.items) lintSchema(`${place}[]`, schema.items, false, known, say);
    for (const [index, each] of alternatives.entries()) lintSchema(`${place}(${index + 1})`, each, false, known, say);
    if (typeof schema.additionalProperties === 'object')
      lintSchema(`${place}{}`, schema.additionalProperties, false, known, say);
  }
}

/** What a schema of the contract may say: `JsonSchema`, and nothing that the engine would carry along unread. */
const VOCABULARY: ReadonlySet<string> = new Set<keyof JsonSchema>([
  '$id',
  '$ref',
  'title',
  'description',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'discriminator',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
  'examples',
  'readOnly',
  'deprecated',
  'x-field-of',
  'x-open',
  'x-opaque',
  'x-pointers',
  'x-value-of',
]);

/** Whether a path leads to a field of the schema, through references and into any member of a union. */
function hasField(contract: Contract, schema: JsonSchema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const target = schema.$ref === undefined ? schema : (contract.resources.get(schema.$ref) ?? {});
  const member = target.properties?.[name];
  if (member) return hasField(contract, member, rest);
  return [...(target.anyOf ?? []), ...(target.oneOf ?? [])].some((each) => hasField(contract, each, [name, ...rest]));
}

/** A member that only refers to a resource is described there. */
function describedBy(schema: JsonSchema): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const target = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].find(({ $ref }) => $ref !== undefined);
  return target?.$ref;
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === '';
}

function fingerprint(names: readonly string[]): string {
  return [...names].sort().join(' ');
}
