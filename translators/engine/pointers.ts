import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { isNullable } from '@perennial/schemas/platform/json-schema.ts';
import { escapeToken } from '@perennial/schemas/validation.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Catalogue } from './catalogue.ts';
import { type Place, placeOf, placesOf } from './places.ts';
import { editedResource, fuse, narrowed, type Run, schemaAt, shared } from './run.ts';
import { identityTree, type Node, nodeAt, schemaOf } from './tree.ts';

/** Translates RFC 6901 pointers into a newer body to pointers into the older one. */
export interface PointerMap {
  /** The pointer, or that of the nearest visible ancestor; undefined when the client can see nothing of it. */
  down(pointer: string): string | undefined;
}

/** Prepares the pointers of a body across a run. */
export function compilePointers(catalogue: Catalogue, run: Run, ref: string): PointerMap {
  const part = narrowed(catalogue, run, ref);
  return pointerMaps(catalogue, `${part.older} ${part.newer} ${ref}`, () => pointersOf(catalogue, part, ref));
}

const pointerMaps = shared<PointerMap>();

function pointersOf(catalogue: Catalogue, run: Run, ref: string): PointerMap {
  const cache = new Map<string, { readonly source: Node; readonly places: ReadonlyMap<string, Place> }>();
  const resourceOf = (each: string): { readonly source: Node; readonly places: ReadonlyMap<string, Place> } => {
    let known = cache.get(each);
    if (!known) {
      const { variant, resource } = parseRef(each);
      const schema = schemaAt(catalogue, run.newer, variant === 'page' ? each : resource);
      known = { source: identityTree(schema), places: placesOf(fuse(catalogue, run, editedResource(each)).down) };
      cache.set(each, known);
    }
    return known;
  };

  const inRef = (each: string, tokens: readonly string[]): readonly string[] | undefined => {
    if (tokens.length === 0) return [];
    const { source, places } = resourceOf(each);
    if (source.kind === 'leaf') return inSchema(source.schema, tokens);
    let depth = 0;
    let node: Node | undefined = source;
    while (node?.kind === 'branch' && depth < tokens.length) {
      const next: Node | undefined = node.members.get(tokens[depth] as string);
      if (!next) break;
      node = next;
      depth++;
    }
    // A name that the newer version does not have either, such as an unknown field, is left as it is.
    if (depth === 0) return tokens;
    const found = placeOf(places, source, tokens.slice(0, depth));
    if (!found) return undefined;
    const { place } = found;
    if (found.depth < depth || !place.exact) return place.path;
    const rest = tokens.slice(depth);
    const reached = nodeAt(source, tokens.slice(0, depth)) as Node;
    const inner = rest.length === 0 ? [] : reached.kind === 'leaf' ? inSchema(schemaOf(reached), rest) : rest;
    return [...place.path, ...(inner ?? [])];
  };

  const inSchema = (schema: JsonSchema, tokens: readonly string[]): readonly string[] | undefined => {
    if (tokens.length === 0) return [];
    if (schema.$ref !== undefined) return inRef(schema.$ref, tokens);
    const [first, ...rest] = tokens as [string, ...string[]];
    if (schema.items) return [first, ...(inSchema(schema.items, rest) ?? [])];
    if (schema.properties?.[first]) return [first, ...(inSchema(schema.properties[first], rest) ?? [])];
    if (typeof schema.additionalProperties === 'object')
      return [first, ...(inSchema(schema.additionalProperties, rest) ?? [])];
    const alternatives = (schema.oneOf ?? schema.anyOf ?? []).filter((each) => !isNullable(each) || each.$ref);
    const [only] = alternatives;
    if (alternatives.length === 1 && only) return inSchema(only, tokens);
    // A pointer does not say which member of a union it leads into: one that has the name will do, for members that
    // share a name share what is below it.
    const member = alternatives.find(
      ({ $ref }) => $ref !== undefined && schemaAt(catalogue, run.newer, $ref).properties?.[first] !== undefined,
    );
    return member ? inSchema(member, tokens) : tokens;
  };

  return {
    down(pointer) {
      if (pointer === '') return '';
      const tokens = pointer
        .slice(1)
        .split('/')
        .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
      const path = inRef(ref, tokens);
      return path?.map((token) => `/${escapeToken(token)}`).join('');
    },
  };
}
