import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { Validator } from '@perennial/schemas/validation.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Catalogue } from './catalogue.ts';
import { changesIn } from './expression.ts';
import { TranslationFailed } from './failures.ts';
import { editedResource, fuse, type Run, schemaAt } from './run.ts';
import type { Node } from './tree.ts';

/** Looks at a body that was raised to head, before core does. @throws {TranslationFailed} naming the change. */
export type CheckRaised = (body: unknown) => void;

/**
 * A body that was valid in the client's version and is not at head, at a place that a converter made, is the
 * converter's fault: told to the client as its own, it could mend nothing. Undefined where no converter makes anything.
 */
export function checkRaised(
  catalogue: Catalogue,
  runs: readonly Run[],
  ref: string,
  head: Validator,
): CheckRaised | undefined {
  const converts = catalogue.steps
    .slice(runs[0]?.older ?? 0)
    .some((step) =>
      [...step.edits.values()]
        .flat()
        .some((edit) => edit.kind === 'fill' || (edit.kind === 'relate' && edit.newer.length > 0 && edit.up)),
    );
  if (runs.length === 0 || !converts) return undefined;
  return (body) => {
    for (const fault of head.body(ref, body)) {
      // What is not there was not made; where the client could not give it, core's fault leads to nothing it can see.
      if (valueAt(body, fault.pointer) == null) continue;
      const change = maker(catalogue, runs, ref, fault);
      if (change !== undefined)
        throw new TranslationFailed(
          change,
          new TypeError(`head refuses what it made at ${fault.pointer}: ${fault.code}`),
        );
    }
  };
}

/** The change whose converter made what stands at a place at head. */
function maker(catalogue: Catalogue, runs: readonly Run[], ref: string, { pointer }: ErrorDetail): string | undefined {
  const path = tokensOf(pointer);
  for (const run of [...runs].reverse()) {
    const change = makerIn(catalogue, run, ref, path);
    if (change !== undefined) return change;
  }
  return undefined;
}

function tokensOf(pointer: string | undefined): readonly string[] {
  return (pointer ?? '')
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(body: unknown, pointer: string | undefined): unknown {
  return tokensOf(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    body,
  );
}

function makerIn(catalogue: Catalogue, run: Run, ref: string, path: readonly string[]): string | undefined {
  const { variant, resource } = parseRef(ref);
  const schema = schemaAt(catalogue, run.newer, variant === 'page' ? ref : resource);
  if (schema.properties === undefined) return makerBelow(catalogue, run, schema, path);
  let node: Node | undefined = fuse(catalogue, run, editedResource(ref)).up;
  let rest = path;
  while (node?.kind === 'branch' && rest.length > 0) {
    node = node.members.get(rest[0] as string);
    rest = rest.slice(1);
  }
  if (node?.kind !== 'leaf') return undefined;
  return changesIn(node.from).at(-1) ?? makerBelow(catalogue, run, node.schema, rest);
}

function makerBelow(catalogue: Catalogue, run: Run, schema: JsonSchema, path: readonly string[]): string | undefined {
  if (schema.$ref !== undefined)
    return schema.$ref === '#item' ? undefined : makerIn(catalogue, run, schema.$ref, path);
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  if (schema.items) return makerBelow(catalogue, run, schema.items, rest);
  const member = schema.properties?.[first];
  if (member) return makerBelow(catalogue, run, member, rest);
  if (typeof schema.additionalProperties === 'object')
    return makerBelow(catalogue, run, schema.additionalProperties, rest);
  for (const each of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    const change = makerBelow(catalogue, run, each, path);
    if (change !== undefined) return change;
  }
  return undefined;
}
