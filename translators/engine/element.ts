import type { JsonObject, JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Catalogue } from './catalogue.ts';
import { compile } from './compile.ts';
import { type Run, runsBetween, schemaAt } from './run.ts';

/**
 * One element of a body of many, upward. An element that creates carries a whole object; one that updates carries a
 * patch, which becomes a merge patch of what its version can see, like every other update.
 */
export interface ElementUp {
  /**
   * @param element valid in the client's version
   * @param prior the stored object at head, when it has been read
   */
  up(element: JsonObject, prior: JsonObject | undefined): RaisedElement;
}

/** An element at head. */
export interface RaisedElement {
  readonly element: JsonObject;
  /** Of an element that carries a patch. */
  readonly patch?: {
    /** The member that holds it at head. */
    readonly member: string;
    /** `empty`: it changes nothing that exists at head. `needs-prior`: it is missing; what is stored must be read. */
    readonly state: 'whole' | 'empty' | 'needs-prior';
  };
}

type UpdateChain = (
  body: JsonObject,
  mode: 'replace' | 'patch',
  prior: JsonObject | undefined,
) => JsonObject | 'needs-prior';

/** Prepares the elements that `ref` means across a run. @param updatesOf prepares the patches that they carry. */
export function compileElement(
  catalogue: Catalogue,
  run: Run,
  ref: string,
  updatesOf: (ref: string) => UpdateChain,
): ElementUp {
  const ups = runsBetween(catalogue, run.older, run.newer, ref).map((each) => compile(catalogue, each, ref, 'up'));
  const whole = (element: JsonObject): JsonObject =>
    ups.reduce<unknown>((value, translate) => translate(value), element) as JsonObject;
  const older = schemaAt(catalogue, run.older, ref);
  const newer = schemaAt(catalogue, run.newer, ref);
  const word = older.discriminator?.propertyName;
  const patches = new Map(
    Object.entries(older.discriminator?.mapping ?? {}).flatMap(([name, member]) => {
      const head = newer.discriminator?.mapping?.[name];
      const from = patchOf(schemaAt(catalogue, run.older, member));
      const to = head === undefined ? undefined : patchOf(schemaAt(catalogue, run.newer, head));
      return from && to ? [[name, { from: from.name, to: to.name, update: updatesOf(to.ref) }] as const] : [];
    }),
  );
  return {
    up(element, prior) {
      const patch = word === undefined ? undefined : patches.get(String(element[word]));
      if (!patch) return { element: whole(element) };
      const { from, to: member, update } = patch;
      const { [member]: _, ...rest } = whole({ ...element, [from]: null });
      const body = update(element[from] as JsonObject, 'patch', prior);
      if (body === 'needs-prior') return { element: rest, patch: { member, state: 'needs-prior' } };
      const state = Object.keys(body).length === 0 ? 'empty' : 'whole';
      return { element: { ...rest, [member]: body }, patch: { member, state } };
    },
  };
}

/** The member of an element that is a patch. */
function patchOf(schema: JsonSchema): { readonly name: string; readonly ref: string } | undefined {
  for (const [name, { $ref }] of Object.entries(schema.properties ?? {}))
    if ($ref !== undefined && parseRef($ref).variant === 'patch') return { name, ref: $ref };
  return undefined;
}
