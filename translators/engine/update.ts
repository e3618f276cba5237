import { isNullable, isObject, type JsonObject, type JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { Catalogue } from './catalogue.ts';
import { compile, compileValue, type Translate } from './compile.ts';
import { evaluateIn, readPath } from './evaluate.ts';
import { type Call, type Expression, inputsOf } from './expression.ts';
import { EditRefused, TranslationFailed } from './failures.ts';
import { formatPath, type Path } from './path.ts';
import { placesOf } from './places.ts';
import { fuse, narrowed, type Run, schemaAt, shared } from './run.ts';
import { eachLeaf, identityTree, type Leaf, nodeAt, schemaOf } from './tree.ts';

/**
 * What an older version writes to an object that exists. Its body, whole or partial, becomes a merge patch (RFC 7396)
 * of the members it can see, leaf by leaf, so that what it cannot see stays as it is.
 */
export interface Update {
  /**
   * @param body the client's body, valid in its version
   * @param mode `replace`: an optional member that is absent is cleared; `patch`: it is left alone
   * @param prior the stored newer body, when it has been read
   * @returns the newer merge patch, or `needs-prior` when the stored value must be read first
   */
  up(body: JsonObject, mode: 'replace' | 'patch', prior: JsonObject | undefined): JsonObject | 'needs-prior';
}

interface Target {
  readonly path: Path;
  /** Set where the member is another resource: it is updated member by member as well. */
  readonly nested: string | undefined;
  readonly from: Expression;
  readonly inputs: readonly Path[];
  readonly needsPrior: boolean;
  readonly readOnly: boolean;
  /** A dictionary: a merge patch would keep the entries that a replacement leaves out. */
  readonly isDictionary: boolean;
}

/**
 * Prepares updates of a resource across a run.
 * @throws {EditRefused} when an older write would lose what it cannot see inside the entries of a list.
 */
export function compileUpdate(catalogue: Catalogue, run: Run, resource: string): Update {
  const part = narrowed(catalogue, run, resource);
  return updates(catalogue, `${part.older} ${part.newer} ${resource}`, () =>
    updateOf(catalogue, part, resource, new Map()),
  );
}

const updates = shared<Update>();

/** Resources may refer to each other in circles, so updates are prepared once and found again. */
type Prepared = Map<string, Update>;

function updateOf(catalogue: Catalogue, run: Run, resource: string, prepared: Prepared): Update {
  const known = prepared.get(resource);
  if (known) return known;
  let update: Update | undefined;
  const later: Update = { up: (body, mode, prior) => (update as Update).up(body, mode, prior) };
  prepared.set(resource, later);
  const schema = schemaAt(catalogue, run.older, resource);
  update = schema.discriminator
    ? unionUpdate(catalogue, run, schema.discriminator, prepared)
    : objectUpdate(catalogue, run, resource, prepared);
  return later;
}

/** A union is updated as the member that its discriminator names; every write carries it (see `variants.ts`). */
function unionUpdate(
  catalogue: Catalogue,
  run: Run,
  { propertyName, mapping = {} }: NonNullable<JsonSchema['discriminator']>,
  prepared: Prepared,
): Update {
  // All at once, so that a member that cannot be served is found at start.
  for (const member of Object.values(mapping)) updateOf(catalogue, run, member, prepared);
  return {
    up(body, mode, prior) {
      const word = body[propertyName];
      const member = typeof word === 'string' && Object.hasOwn(mapping, word) ? mapping[word] : undefined;
      if (member === undefined) throw new TranslationFailed(undefined, new TypeError('the union has no such member'));
      return updateOf(catalogue, run, member, prepared).up(body, mode, prior);
    },
  };
}

function objectUpdate(catalogue: Catalogue, run: Run, resource: string, prepared: Prepared): Update {
  const { up } = fuse(catalogue, run, resource);
  const source = identityTree(schemaAt(catalogue, run.older, resource));
  const targets: Target[] = [];
  eachLeaf(up, (leaf: Leaf, path) => {
    if (leaf.from.op === 'absent') return;
    const inputs = inputsOf(leaf.from);
    if (inputs.length === 0) return;
    const readOnly = leaf.schema.readOnly === true;
    if (readOnly && leaf.from.op !== 'get') return;
    if (!readOnly) refuseLossyList(catalogue, run, leaf.schema, `${resource}.${formatPath(path)}`);
    const nested = leaf.from.op === 'get' ? nestedResource(leaf.schema) : undefined;
    if (nested !== undefined) updateOf(catalogue, run, nested, prepared);
    const isDictionary = typeof leaf.schema.additionalProperties === 'object' && leaf.from.op === 'get';
    targets.push({ path, from: leaf.from, inputs, needsPrior: usesPrior(leaf.from), readOnly, nested, isDictionary });
  });

  const walkers = new Map<string, (value: unknown) => unknown>();
  const walk = (path: Path, value: unknown): unknown => {
    const key = formatPath(path);
    let walker = walkers.get(key);
    if (!walker) {
      const node = nodeAt(source, path);
      walker = node ? compileValue(catalogue, run, schemaOf(node), 'up') : (same) => same;
      walkers.set(key, walker);
    }
    return value === null || value === undefined ? value : walker(value);
  };
  let down: Translate | undefined;
  const older = (prior: JsonObject): JsonObject => {
    down ??= compile(catalogue, run, resource, 'down');
    // Through JSON, so that members the older version does not have are absent rather than undefined.
    return JSON.parse(JSON.stringify(down(prior))) as JsonObject;
  };

  return {
    up(body, mode, prior) {
      const read = (path: Path): unknown => {
        const value = readPath(body, path);
        return value === undefined && mode === 'replace' ? null : value;
      };
      const given = (path: Path): boolean => read(path) !== undefined;
      let whole: JsonObject | undefined;
      const patch: JsonObject = {};
      const calls = new Map<Call, readonly unknown[]>();
      for (const target of targets) {
        if (target.readOnly && readPath(body, target.inputs[0] as Path) === undefined) continue;
        if (!target.inputs.some(given)) continue;
        if (target.nested !== undefined && target.from.op === 'get') {
          const value = read(target.from.path);
          const stored = prior && readPath(prior, target.path);
          const inner = isObject(value)
            ? updateOf(catalogue, run, target.nested, prepared).up(value, mode, isObject(stored) ? stored : prior && {})
            : value;
          if (inner === 'needs-prior') return inner;
          setPath(patch, target.path, inner);
          continue;
        }
        if (target.from.op === 'get') {
          const value = walk(target.from.path, read(target.from.path));
          if (target.isDictionary && mode === 'replace' && isObject(value)) {
            if (prior === undefined) return 'needs-prior';
            setPath(patch, target.path, { ...cleared(readPath(prior, target.path), value), ...value });
          } else setPath(patch, target.path, value);
          continue;
        }
        const partial = target.inputs.some((path) => readPath(body, path) === undefined) && mode === 'patch';
        if ((partial || target.needsPrior) && prior === undefined) return 'needs-prior';
        // A copy, so that nothing is shared with the client's body.
        whole ??= structuredClone(prior && mode === 'patch' ? mergePatch(older(prior), body) : body);
        for (const input of target.inputs) if (readPath(whole, input) === undefined) setPath(whole, input, null);
        const value = evaluateIn(target.from, { source: whole, prior, walk }, calls);
        setPath(patch, target.path, value === undefined ? null : value);
      }
      return patch;
    },
  };
}

/** Null for every entry of a stored dictionary that the new one has not. */
function cleared(stored: unknown, next: JsonObject): JsonObject {
  if (!isObject(stored)) return {};
  return Object.fromEntries(Object.keys(stored).flatMap((name) => (Object.hasOwn(next, name) ? [] : [[name, null]])));
}

/** The resource that a member is, where it is one: by reference, or by reference or null. */
function nestedResource(schema: JsonSchema): string | undefined {
  if (schema.$ref !== undefined) return schema.$ref;
  const alternatives = (schema.anyOf ?? []).filter((each) => !(each.$ref === undefined && isNullable(each)));
  return alternatives.length === 1 ? alternatives[0]?.$ref : undefined;
}

/**
 * A list is written whole. Where its entries have members that the older version cannot see, writing it would lose
 * them, and no rule could say which new entry was which old one: the change must say so itself, with `needsPrior`.
 */
function refuseLossyList(catalogue: Catalogue, run: Run, schema: JsonSchema, place: string): void {
  const entry = schema.items && nestedResource(schema.items);
  if (entry === undefined) return;
  for (const hidden of hiddenMembers(catalogue, run, entry))
    throw new EditRefused(
      `${place}: an older version that writes this list would lose ${hidden}; relate the list itself, with needsPrior`,
    );
}

/** Writable members of a resource that the older version of a run cannot see. */
export function hiddenMembers(catalogue: Catalogue, run: Run, resource: string): readonly string[] {
  const { down } = fuse(catalogue, run, resource);
  const places = placesOf(down);
  const hidden: string[] = [];
  eachLeaf(identityTree(schemaAt(catalogue, run.newer, resource)), (leaf, path) => {
    if (!leaf.schema.readOnly && !places.has(formatPath(path))) hidden.push(`${resource}.${formatPath(path)}`);
  });
  return hidden;
}

function usesPrior(expression: Expression): boolean {
  switch (expression.op) {
    case 'output':
      return expression.call.needsPrior || expression.call.inputs.some(usesPrior);
    case 'member':
      return usesPrior(expression.of);
    case 'object':
      return expression.members.some(([, member]) => usesPrior(member));
    default:
      return false;
  }
}

/** Sets a member, making the objects on the way. A null on the way is replaced: the members below it are what counts. */
function setPath(target: JsonObject, path: Path, value: unknown): void {
  let object = target;
  for (const name of path.slice(0, -1)) {
    const next = object[name];
    if (isObject(next)) object = next;
    else {
      const made: JsonObject = {};
      object[name] = made;
      object = made;
    }
  }
  object[path.at(-1) as string] = value;
}

/** A member called `__proto__` is data like any other: to assign it would change what the object inherits. */
function setOwn(object: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** RFC 7396. The result shares nothing with the patch. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (isObject(value)) {
      const inner = Object.hasOwn(result, name) ? result[name] : undefined;
      setOwn(result, name, mergePatch(isObject(inner) ? inner : {}, value));
    } else setOwn(result, name, value);
  }
  return result;
}
