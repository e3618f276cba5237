import { isNullable, type JsonSchema, type JsonValue } from '@perennial/schemas/platform/json-schema.ts';
import type { Call, Converter } from './expression.ts';
import { EditRefused, NotInVersion } from './failures.ts';
import { formatPath, type Path } from './path.ts';
import { expressionOf, type Leaf, type Node, nodeAt, nodeOf, put, schemaOf, take } from './tree.ts';

/**
 * The four things that can happen to the members of a resource, to which every description in `describe.ts` comes
 * down. Each is applied to a tree in both directions; the older schema falls out of the downward one.
 */
export type Edit = Move | Relate | Narrow | Fill;

/** A member has another name or place. Nothing is computed. */
export interface Move {
  readonly kind: 'move';
  readonly older: Path;
  readonly newer: Path;
}

/** Members on one side are computed from members on the other. */
export interface Relate {
  readonly kind: 'relate';
  readonly older: readonly OlderMember[];
  readonly newer: readonly Path[];
  /** From the newer values to the older ones. */
  readonly down: Converter;
  /** From the older values to the newer ones; absent where clients never write these. */
  readonly up: Converter | undefined;
  /** `up` cannot do without the stored value. */
  readonly needsPrior: boolean;
  /** What the downward converter was made from, as text; the converter's own text where that is all. */
  readonly source?: string;
  /** The functions that the author of the change wrote, where the converters only call them. */
  readonly written?: readonly ((...args: never[]) => unknown)[] | undefined;
  /** Whether an older value can be kept as it is; every one where that is not said. */
  readonly keeps?: (value: unknown) => boolean;
  /** An older value stands for several newer ones: what is asked for by it would find only one of them. */
  readonly shares?: string;
  /** The converters look at members of other resources, so those must be translated before or after, not between. */
  readonly looksInside: boolean;
}

/**
 * A member has values that the older version has not. All others are the same in both, so upward nothing happens.
 * Downward a value that the older version has not is refused: such an object must not be answered to it at all.
 */
export interface Narrow {
  readonly kind: 'narrow';
  readonly path: Path;
  /** The older schema, given the newer one. @throws {EditRefused} when it does not have the values. */
  readonly schema: (newer: JsonSchema) => JsonSchema;
  /** Whether the older version has the value. */
  readonly has: (value: unknown) => boolean;
}

/**
 * A member that is left out means something else now, or may not be left out any more. Downward it is the same; upward
 * what an older client left out is written as what that meant.
 */
export interface Fill {
  readonly kind: 'fill';
  readonly path: Path;
  /** What leaving it out meant. */
  readonly before: JsonValue;
  /** The older schema, given the newer one. */
  readonly schema: (newer: JsonSchema) => JsonSchema;
  /** Whether older answers always had it, and older bodies had to. */
  readonly required: boolean | undefined;
}

/** A member that only the older version has. */
export interface OlderMember {
  readonly path: Path;
  /** Its schema, given the schemas of the newer members. */
  readonly schema: (newer: readonly JsonSchema[]) => JsonSchema;
  /** Whether answers always have it. Defaults to what the newer member is. */
  readonly required: boolean | undefined;
}

/** Names the change while its edits are applied. */
export interface EditContext {
  readonly change: string;
  readonly contextKey: string;
}

/** Rewrites the newer tree to the older one. */
export function applyDown(tree: Node, edit: Edit, context: EditContext): Node {
  if (edit.kind === 'move') return moved(tree, edit.newer, edit.older);
  if (edit.kind === 'narrow') return narrowed(tree, edit, context);
  if (edit.kind === 'fill') return emptied(tree, edit);
  const schemas: JsonSchema[] = [];
  const taken: Node[] = [];
  let rest = tree;
  for (const path of edit.newer) {
    const result = take(rest, path);
    schemas.push(schemaOf(result.node));
    taken.push(result.node);
    rest = result.tree;
  }
  const inverse = {
    exists: edit.up !== undefined && edit.shares === undefined,
    starts: edit.older.length,
    leadsTo: schemas,
  };
  const call: Call = { ...callOf(edit.down, taken, [], false, context), inverse };
  const slot = sameParentName(edit.newer[0], edit.older[0]?.path);
  for (const [output, member] of edit.older.entries()) {
    const required = member.required ?? taken.every((node) => node.required);
    const node = nodeOf(member.schema(schemas), required, { op: 'output', call, output });
    // In the place of the first newer member, while that is known: the order of keys is kept where it can be.
    rest =
      output === 0 && slot !== undefined
        ? restoreOrder(tree, put(rest, member.path, node), edit.newer[0] as Path, member.path)
        : put(rest, member.path, node);
  }
  return rest;
}

/**
 * Rewrites the older tree to the newer one. `newerShape` is the tree of the newer schema, `prior` the tree of the
 * newer version as expressions over the stored head body.
 */
export function applyUp(tree: Node, edit: Edit, newerShape: Node, prior: Node | undefined, context: EditContext): Node {
  if (edit.kind === 'move') return moved(tree, edit.older, edit.newer);
  if (edit.kind === 'narrow') return widened(tree, edit.path, newerShape);
  if (edit.kind === 'fill') return filled(tree, edit, newerShape, context);
  const taken: Node[] = [];
  let rest = tree;
  for (const { path } of edit.older) {
    const result = take(rest, path);
    taken.push(result.node);
    rest = result.tree;
  }
  if (edit.newer.length === 0) return rest;
  const priors = edit.newer.map((path) => (prior && nodeAt(prior, path)) as Node);
  const call = edit.up && callOf(edit.up, taken, prior ? priors : [], edit.needsPrior, context);
  for (const [output, path] of edit.newer.entries()) {
    const shape = nodeAt(newerShape, path);
    if (!shape) throw new EditRefused(`there is no member "${formatPath(path)}"`);
    rest = put(
      rest,
      path,
      nodeOf(schemaOf(shape), shape.required, call ? { op: 'output', call, output } : { op: 'absent' }),
    );
  }
  return rest;
}

function narrowed(tree: Node, edit: Narrow, context: EditContext): Node {
  const node = leafAt(tree, edit.path);
  const convert: Converter = ([value]) => {
    if (value !== undefined && !edit.has(value)) throw new NotInVersion('the older version has no such value');
    return [value];
  };
  const call: Call = { ...callOf(convert, [node], [], false, context), narrows: edit.schema };
  return replaceAt(tree, edit.path, {
    ...node,
    schema: edit.schema(node.schema),
    from: { op: 'output', call, output: 0 },
  });
}

function widened(tree: Node, path: Path, newerShape: Node): Node {
  return replaceAt(tree, path, { ...leafAt(tree, path), schema: leafAt(newerShape, path).schema });
}

function emptied(tree: Node, edit: Fill): Node {
  const node = leafAt(tree, edit.path);
  return replaceAt(tree, edit.path, {
    ...node,
    schema: edit.schema(node.schema),
    required: edit.required ?? node.required,
  });
}

function filled(tree: Node, edit: Fill, newerShape: Node, context: EditContext): Node {
  const node = leafAt(tree, edit.path);
  const newer = leafAt(newerShape, edit.path);
  // Where null is a value of its own, it is one that the client chose.
  const isLeftOut = (value: unknown): boolean => value === undefined || (value === null && !isNullable(newer.schema));
  const convert: Converter = ([value]) => [isLeftOut(value) ? edit.before : value];
  return replaceAt(tree, edit.path, {
    ...newer,
    from: { op: 'output', call: callOf(convert, [node], [], false, context), output: 0 },
  });
}

function leafAt(tree: Node, path: Path): Leaf {
  const node = nodeAt(tree, path);
  if (!node) throw new EditRefused(`there is no member "${formatPath(path)}"`);
  if (node.kind === 'branch')
    throw new EditRefused(`"${formatPath(path)}" is an object with members of its own, which are narrowed one by one`);
  return node;
}

function moved(tree: Node, from: Path, to: Path): Node {
  if (nodeAt(tree, from) && nodeAt(tree, to)) throw new EditRefused(`"${formatPath(to)}" exists already`);
  const instead = sameParentName(from, to);
  if (instead !== undefined) return renamed(tree, from, to);
  const { tree: rest, node } = take(tree, from);
  return put(rest, to, node);
}

function renamed(tree: Node, from: Path, to: Path): Node {
  const node = nodeAt(tree, from);
  if (!node) throw new EditRefused(`there is no member "${formatPath(from)}"`);
  return put(tree, to, node, from.at(-1));
}

/** Where both paths have the same parent: the last name of the first. */
function sameParentName(a: Path | undefined, b: Path | undefined): string | undefined {
  if (!a || !b || a.length !== b.length) return undefined;
  return a.slice(0, -1).every((name, index) => b[index] === name) ? a.at(-1) : undefined;
}

/** The members of `to`'s parent in the order they had before, `to` standing where `from` stood. */
function restoreOrder(before: Node, after: Node, from: Path, to: Path): Node {
  const parent = from.slice(0, -1);
  const old = nodeAt(before, parent);
  const now = nodeAt(after, parent);
  if (old?.kind !== 'branch' || now?.kind !== 'branch') return after;
  const toName = to.at(-1) as string;
  const order = [...old.members.keys()].map((name) => (name === from.at(-1) ? toName : name));
  const rank = (name: string): number => {
    const index = order.indexOf(name);
    return index < 0 ? order.length : index;
  };
  const members = new Map([...now.members].sort(([a], [b]) => rank(a) - rank(b)));
  return replaceAt(after, parent, { ...now, members });
}

function replaceAt(root: Node, path: Path, node: Node): Node {
  if (path.length === 0) return node;
  const [name, ...rest] = path as [string, ...string[]];
  if (root.kind !== 'branch') return root;
  const member = root.members.get(name);
  return member ? { ...root, members: new Map(root.members).set(name, replaceAt(member, rest, node)) } : root;
}

function callOf(
  convert: Converter,
  inputs: readonly Node[],
  priors: readonly Node[],
  needsPrior: boolean,
  context: EditContext,
): Call {
  return {
    convert,
    inputs: inputs.map(expressionOf),
    priors: priors.map(expressionOf),
    needsPrior,
    change: context.change,
    contextKey: context.contextKey,
  };
}
