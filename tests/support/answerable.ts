import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { Catalogue } from '@perennial/translators/engine/catalogue.ts';
import type { Call, Expression } from '@perennial/translators/engine/expression.ts';
import type { Path } from '@perennial/translators/engine/path.ts';
import { fuse, type Run } from '@perennial/translators/engine/run.ts';
import type { Node } from '@perennial/translators/engine/tree.ts';

/**
 * The newer resources of a run, narrowed to the objects that the older version has: of the others it is answered none,
 * and no body of theirs is ever translated to it.
 */
export function answerable(catalogue: Catalogue, run: Run): ReadonlyMap<string, JsonSchema> {
  const { resources } = catalogue.contracts[run.newer]!;
  const edited = new Set(catalogue.steps.slice(run.older, run.newer).flatMap(({ edits }) => [...edits.keys()]));
  const narrowed = new Map(resources);
  for (const resource of edited) {
    const schema = resources.get(resource);
    if (!schema) continue;
    const calls = new Set<Call>();
    eachExpression(fuse(catalogue, run, resource).down, (expression) => collect(expression, calls));
    const result = [...calls].reduce((each, call) => {
      const path = pathOf(call);
      return path && call.narrows ? narrowAt(each, path, call.narrows) : each;
    }, schema);
    if (result !== schema) narrowed.set(resource, result);
  }
  return [...narrowed].every(([name, schema]) => resources.get(name) === schema) ? resources : narrowed;
}

function eachExpression(node: Node, visit: (expression: Expression) => void): void {
  if (node.kind === 'leaf') visit(node.from);
  else for (const member of node.members.values()) eachExpression(member, visit);
}

/** Innermost first: what is narrowed at a later release is so when an earlier one narrows it. */
function collect(expression: Expression, calls: Set<Call>): void {
  switch (expression.op) {
    case 'output':
      for (const input of expression.call.inputs) collect(input, calls);
      if (expression.call.narrows) calls.add(expression.call);
      return;
    case 'member':
      collect(expression.of, calls);
      return;
    case 'object':
      for (const [, member] of expression.members) collect(member, calls);
  }
}

/** The member of the newer resource that a call narrows; undefined where it narrows what another change made. */
function pathOf({ inputs: [input] }: Call): Path | undefined {
  if (input?.op === 'get') return input.path;
  return input?.op === 'output' && input.call.narrows ? pathOf(input.call) : undefined;
}

function narrowAt(schema: JsonSchema, path: Path, narrows: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const [name, ...rest] = path;
  if (name === undefined) return narrows(schema);
  const member = schema.properties?.[name] as JsonSchema;
  return { ...schema, properties: { ...schema.properties, [name]: narrowAt(member, rest, narrows) } };
}
