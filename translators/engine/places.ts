import { inputsOf, isSame } from './expression.ts';
import { formatPath, type Path } from './path.ts';
import { type Node, nodeAt } from './tree.ts';

/** Where a member of the source stands in the translated body. */
export interface Place {
  readonly path: Path;
  /** False when the value was converted: names below it have no counterpart. */
  readonly exact: boolean;
}

/** Where each member of the source stands in a tree, by dotted source path. What is missing is invisible there. */
export function placesOf(tree: Node): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const note = (source: Path, place: Place): void => {
    const key = formatPath(source);
    const known = places.get(key);
    if (!known || (!known.exact && place.exact)) places.set(key, place);
  };
  const visit = (node: Node, path: Path): void => {
    if (node.kind === 'leaf') {
      const exact = isSame(node.from);
      for (const input of inputsOf(node.from)) note(input, { path, exact });
      return;
    }
    if (node.origin?.op === 'get') note(node.origin.path, { path, exact: true });
    for (const [name, member] of node.members) visit(member, [...path, name]);
  };
  visit(tree, []);
  return places;
}

/**
 * The place of a source path or of its nearest visible ancestor below the root.
 * `rest` are the names that are lost or that lie inside the leaf.
 */
export function placeOf(
  places: ReadonlyMap<string, Place>,
  source: Node,
  path: Path,
): { readonly place: Place; readonly depth: number } | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const place = places.get(formatPath(path.slice(0, depth)));
    if (place) return { place, depth };
    if (depth === path.length && nodeAt(source, path)?.kind === 'branch') {
      // A whole object was named; any visible member tells where the client would look.
      const prefix = `${formatPath(path)}.`;
      for (const [key, inner] of places)
        if (key.startsWith(prefix) && inner.path.length > 1)
          return { place: { path: inner.path.slice(0, -1), exact: true }, depth };
    }
  }
  return undefined;
}
