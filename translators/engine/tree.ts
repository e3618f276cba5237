import { isInlineObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { Expression } from './expression.ts';
import { EditRefused } from './failures.ts';
import { formatPath, type Path } from './path.ts';

/**
 * A resource as the engine sees it while changes are composed: its members as a tree, each knowing its schema (what
 * is promised) and its expression (where the value comes from). One rewriting of the tree therefore gives the data,
 * the older schema, the error pointers and the query names, and they cannot drift apart.
 */
export type Node = Leaf | Branch;

/** A member that no change enters: a scalar, a list, a reference, a union, a dictionary. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly from: Expression;
}

/** An object with named members that belongs to the resource itself. */
export interface Branch {
  readonly kind: 'branch';
  /** The schema without its members. */
  readonly shell: JsonSchema;
  readonly required: boolean;
  readonly origin: Expression | undefined;
  readonly members: ReadonlyMap<string, Node>;
}

/** How many members a branch had before any change; the shell object is what stays the same. */
const originalSize = new WeakMap<JsonSchema, number>();

/** The tree of a schema in which every member is itself. */
export function identityTree(schema: JsonSchema, path: Path = [], required = true): Node {
  const from: Expression = { op: 'get', path };
  if (!isInlineObject(schema)) return { kind: 'leaf', schema, required, from };
  return { ...branchOf(schema, required, from, (name) => ({ op: 'get', path: [...path, name] })) };
}

function branchOf(
  schema: JsonSchema,
  required: boolean,
  origin: Expression,
  memberOf: (name: string) => Expression,
): Branch {
  const { properties = {}, required: names = [], ...shell } = schema;
  const members = new Map<string, Node>();
  for (const [name, member] of Object.entries(properties)) {
    const from = memberOf(name);
    const isRequired = names.includes(name);
    members.set(
      name,
      isInlineObject(member)
        ? branchOf(member, isRequired, from, (inner) =>
            from.op === 'get' ? { op: 'get', path: [...from.path, inner] } : { op: 'member', of: from, name: inner },
          )
        : { kind: 'leaf', schema: member, required: isRequired, from },
    );
  }
  originalSize.set(shell, members.size);
  return { kind: 'branch', shell, required, origin, members };
}

/** A node for a schema whose value is the expression; an object's members become members of that value. */
export function nodeOf(schema: JsonSchema, required: boolean, from: Expression): Node {
  if (!isInlineObject(schema)) return { kind: 'leaf', schema, required, from };
  return branchOf(schema, required, from, (name) => ({ op: 'member', of: from, name }));
}

/** The schema the tree promises. */
export function schemaOf(node: Node): JsonSchema {
  if (node.kind === 'leaf') return node.schema;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, member] of node.members) {
    properties[name] = schemaOf(member);
    if (member.required) required.push(name);
  }
  return { ...node.shell, properties, ...(required.length > 0 ? { required } : {}) };
}

/** The value of a node as one expression. */
export function expressionOf(node: Node): Expression {
  if (node.kind === 'leaf') return node.from;
  if (isUntouched(node)) return node.origin as Expression;
  return {
    op: 'object',
    origin: node.origin,
    members: [...node.members].map(([name, member]) => [name, expressionOf(member)] as const),
  };
}

/** Whether every member of the branch is still its origin's member of the same name, and none is gone or new. */
function isUntouched(branch: Branch): boolean {
  const { origin } = branch;
  if (origin === undefined || originalSize.get(branch.shell) !== branch.members.size) return false;
  for (const [name, member] of branch.members) {
    const from = member.kind === 'leaf' ? member.from : isUntouched(member) ? member.origin : undefined;
    if (from === undefined || !isMemberOf(from, origin, name)) return false;
  }
  return true;
}

function isMemberOf(from: Expression, origin: Expression, name: string): boolean {
  if (from.op === 'member') return from.of === origin && from.name === name;
  return (
    from.op === 'get' &&
    origin.op === 'get' &&
    from.path.length === origin.path.length + 1 &&
    from.path.at(-1) === name &&
    origin.path.every((each, index) => from.path[index] === each)
  );
}

/** The node at a path, or undefined. */
export function nodeAt(root: Node, path: Path): Node | undefined {
  let node: Node | undefined = root;
  for (const name of path) node = node?.kind === 'branch' ? node.members.get(name) : undefined;
  return node;
}

/**
 * Puts a node at a free path and gives the new tree. Objects on the way are made when they do not exist. With
 * `instead`, the node takes that member's place in the order, so a rename leaves the order of keys alone.
 * @throws {EditRefused} when the path is taken or leads through something that is not an object.
 */
export function put(root: Node, path: Path, node: Node, instead?: string): Node {
  const [name, ...rest] = path as [string, ...string[]];
  if (root.kind !== 'branch')
    throw new EditRefused(`"${formatPath(path)}" leads through a member that is not an object`);
  const existing = root.members.get(name);
  if (rest.length === 0) {
    if (existing && instead !== name) throw new EditRefused(`"${name}" exists already`);
    const members = new Map<string, Node>();
    let placed = false;
    for (const [key, member] of root.members) {
      if (key === instead) {
        members.set(name, node);
        placed = true;
      } else members.set(key, member);
    }
    if (!placed) members.set(name, node);
    return { ...root, members };
  }
  const parent: Node = existing ?? {
    kind: 'branch',
    shell: { type: 'object' },
    required: node.required,
    origin: undefined,
    members: new Map(),
  };
  return { ...root, members: new Map(root.members).set(name, put(parent, rest, node, instead)) };
}

/**
 * Takes the node at a path out of the tree. An object that the engine made itself and that is empty now goes too.
 * @throws {EditRefused} when there is no such member.
 */
export function take(root: Node, path: Path): { readonly tree: Node; readonly node: Node } {
  const [name, ...rest] = path as [string, ...string[]];
  const member = root.kind === 'branch' ? root.members.get(name) : undefined;
  if (root.kind !== 'branch' || !member) throw new EditRefused(`there is no member "${formatPath(path)}"`);
  const members = new Map(root.members);
  if (rest.length === 0) {
    members.delete(name);
    return { tree: { ...root, members }, node: member };
  }
  const inner = take(member, rest);
  if (inner.tree.kind === 'branch' && inner.tree.members.size === 0) members.delete(name);
  else members.set(name, inner.tree);
  return { tree: { ...root, members }, node: inner.node };
}

/** Calls `visit` for every member below the root with its path, objects and leaves alike. */
export function eachNode(node: Node, visit: (node: Node, path: Path) => void, path: Path = []): void {
  if (path.length > 0) visit(node, path);
  if (node.kind === 'branch') for (const [name, member] of node.members) eachNode(member, visit, [...path, name]);
}

/** Calls `visit` for every leaf with its path. */
export function eachLeaf(node: Node, visit: (leaf: Leaf, path: Path) => void, path: Path = []): void {
  if (node.kind === 'leaf') visit(node, path);
  else for (const [name, member] of node.members) eachLeaf(member, visit, [...path, name]);
}
