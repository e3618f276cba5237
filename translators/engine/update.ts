import { isObject, type JsonObject } from '@perennial/schemas/json-schema.ts';
import type { Catalogue } from './catalogue.ts';
import { compile, compileValue, type Translate } from './compile.ts';
import { evaluateIn, readPath } from './evaluate.ts';
import { type Call, type Expression, inputsOf } from './expression.ts';
import { formatPath, type Path } from './path.ts';
import { fuse, type Run, schemaAt } from './run.ts';
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
  readonly from: Expression;
  readonly inputs: readonly Path[];
  readonly needsPrior: boolean;
  readonly readOnly: boolean;
}

/** Prepares updates of a resource across a run. */
export function compileUpdate(catalogue: Catalogue, run: Run, resource: string): Update {
  const { up } = fuse(catalogue, run, resource);
  const source = identityTree(schemaAt(catalogue, run.older, resource));
  const targets: Target[] = [];
  eachLeaf(up, (leaf: Leaf, path) => {
    if (leaf.from.op === 'absent' || leaf.from.op === 'constant') return;
    const inputs = inputsOf(leaf.from);
    if (inputs.length === 0) return;
    const readOnly = leaf.schema.readOnly === true;
    if (readOnly && leaf.from.op !== 'get') return;
    targets.push({ path, from: leaf.from, inputs, needsPrior: usesPrior(leaf.from), readOnly });
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
        if (target.from.op === 'get') {
          setPath(patch, target.path, walk(target.from.path, read(target.from.path)));
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

/** RFC 7396. The result shares nothing with the patch. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else if (isObject(value)) {
      const inner = result[name];
      result[name] = mergePatch(isObject(inner) ? inner : {}, value);
    } else result[name] = value;
  }
  return result;
}
