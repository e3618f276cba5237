import { isDeepStrictEqual } from 'node:util';
import { type Behaviours, headBehaviours } from '@perennial/schemas/behaviours.ts';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { type BodyMediaType, commonErrors, type Operation } from '@perennial/schemas/operation.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { OperationEdit, ReleaseChanges } from './change.ts';
import { applyDown, type Edit } from './edit.ts';
import { CatalogueInvalid, EditRefused } from './failures.ts';
import { olderFieldNames } from './field-names.ts';
import { headerFault } from './headers.ts';
import { olderOperation } from './parameters.ts';
import { formatPath, type Path, parsePath } from './path.ts';
import { type Scopes, scopesOf, withOlderNames } from './scopes.ts';
import { operationsOf, type Step } from './step.ts';
import { identityTree, type Node, schemaOf } from './tree.ts';
import { type KnownValues, olderParameters, olderValues, otherWithPattern, referenceOf } from './values.ts';

/**
 * Every change of every release in order, and the contract before and after each. Level 0 is the oldest contract,
 * level n, after all n steps, is head. Derivation runs from head downward once, at start.
 */
export interface Catalogue {
  readonly steps: readonly Step[];
  /** The contract at each level; one more than there are steps. */
  readonly contracts: readonly Contract[];
  /** Releases oldest first, each with its level. */
  readonly releases: readonly { readonly id: string; readonly level: number }[];
  behavioursAt(level: number): Behaviours;
  /** The contract at a level as clients are told of it: what the engine alone tells apart has one name. */
  published(level: number): Contract;
  /** The engine's name of a resource in an operation: its own where a change is of that operation only. */
  nameIn(operation: string, resource: string): string;
}

/**
 * Puts the changes in order, derives every older contract and checks that each change fits.
 * @throws {CatalogueInvalid} naming every change that matches nothing, is bound twice, has no sentence or comes out
 * of order, and every release that the history and the folders do not both know.
 */
export function createCatalogue(head: Contract, history: History, releases: readonly ReleaseChanges[]): Catalogue {
  const faults: string[] = [];
  const known = [...newestFirst(history)].reverse().map(({ id }) => id);
  const [base, ...later] = known;
  for (const [index, release] of releases.entries()) {
    if (!later.includes(release.id))
      faults.push(
        release.id === base
          ? `release ${release.id} is the oldest of the history: there is nothing before it to change`
          : `release ${release.id} has changes but the history does not list it`,
      );
    const previous = releases[index - 1];
    if (previous && previous.id >= release.id)
      faults.push(`release ${release.id} comes out of order, after ${previous.id}`);
  }
  for (const id of later)
    if (!releases.some((release) => release.id === id))
      faults.push(`release ${id} is in the history but has no folder of changes`);

  const scopes = scopesOf(head, releases, faults);
  const steps = stepsOf(releases, scopes, faults);
  const contracts: Contract[] = [scopes.head];
  for (const step of [...steps].reverse()) contracts.unshift(derive(contracts[0] as Contract, step, scopes, faults));
  if (faults.length > 0) throw new CatalogueInvalid(faults);

  const published = new Map<number, Contract>([[steps.length, head]]);
  const levels = known.map((id) => ({ id, level: steps.filter((step) => step.release <= id).length }));
  return {
    steps,
    contracts,
    releases: levels,
    behavioursAt: (level) => {
      const behaviours = { ...headBehaviours };
      for (const { change } of steps.slice(level).reverse()) Object.assign(behaviours, change.behaviours);
      return behaviours;
    },
    published: (level) => {
      let contract = published.get(level);
      if (!contract) {
        contract = withOlderNames(scopes.published(contracts[level] as Contract), namesAt(steps.slice(level)));
        published.set(level, contract);
      }
      return contract;
    },
    nameIn: scopes.nameIn,
  };
}

/** The resources that carry error codes. */
const ERRORS: readonly string[] = ['ErrorBody', 'ErrorDetail'];

/** The names that clients before these steps know, of the resources that have others. */
function namesAt(steps: readonly Step[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { change } of [...steps].reverse())
    for (const [older, newer] of Object.entries(change.schemas ?? {})) {
      const [original = newer] = [...names].find(([, name]) => name === newer) ?? [];
      names.set(original, older);
    }
  return names;
}

function stepsOf(releases: readonly ReleaseChanges[], scopes: Scopes, faults: string[]): readonly Step[] {
  const seen = new Map<string, string>();
  for (const { id, changes, examples = {} } of releases)
    for (const name of Object.keys(examples))
      if (!changes.some((change) => change.id === name))
        faults.push(`release ${id} has examples of ${name}, which is none of its changes`);
  return releases.flatMap((release) =>
    release.changes.map((change) => {
      const name = `${release.id}/${change.id}`;
      const before = seen.get(change.id);
      if (before !== undefined) faults.push(`change ${name} is bound twice: it is ${before} as well`);
      seen.set(change.id, name);
      if (change.sentence.trim() === '') faults.push(`change ${name} has no sentence for the changelog`);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(change.id))
        faults.push(`change ${name}: the id must be words joined by hyphens`);
      const edits = new Map<string, readonly Edit[]>();
      const named = new Set<string>();
      for (const { resource, only = [], edits: list } of change.resources ?? []) {
        const places =
          only.length === 0 ? scopes.aliasesOf(resource) : only.map((each) => scopes.nameIn(each, resource));
        for (const key of only.length === 0 ? [resource] : places) {
          if (named.has(key)) faults.push(`change ${name} names ${resource} twice; put its edits in one list`);
          named.add(key);
        }
        for (const place of places) edits.set(place, [...(edits.get(place) ?? []), ...list.flat()]);
      }
      const operationEdits = change.operations ?? [];
      const values = change.values ?? [];
      if (values.length > 0 && (edits.size > 0 || operationEdits.length > 0))
        faults.push(`change ${name} converts values wherever they stand: that needs a change of its own`);
      if (
        edits.size === 0 &&
        operationEdits.length === 0 &&
        values.length === 0 &&
        Object.keys(change.schemas ?? {}).length === 0 &&
        Object.keys(change.behaviours ?? {}).length === 0
      )
        faults.push(`change ${name} changes nothing`);
      for (const edit of operationEdits) {
        // A code stands in every error, inside bodies of many answers too: it is a member like any other.
        if (edit.kind !== 'error-code') continue;
        for (const resource of ERRORS)
          edits.set(resource, [...(edits.get(resource) ?? []), renamedWord('code', edit.older, edit.newer)]);
      }
      const examples = release.examples?.[change.id] ?? [];
      return { release: release.id, change, name, edits, operationEdits, values, examples };
    }),
  );
}

/** One word of a list is another one; the list may be open, and every other word is the same. */
function renamedWord(path: string, older: string, newer: string): Edit {
  const target = parsePath(path);
  return {
    kind: 'relate',
    older: [
      {
        path: target,
        required: undefined,
        schema: ([schema]) => ({
          ...schema,
          ...(schema?.enum && { enum: schema.enum.map((word) => (word === newer ? older : word)) }),
        }),
      },
    ],
    newer: [target],
    down: ([word]) => [word === newer ? older : word],
    up: ([word]) => [word === older ? newer : word],
    needsPrior: false,
    looksInside: false,
    source: JSON.stringify([older, newer]),
  };
}

/** Why an edit changes nothing, or undefined. */
function unchanging(edit: Edit | OperationEdit, operations: readonly Operation[]): string | undefined {
  switch (edit.kind) {
    case 'move':
      return formatPath(edit.older) === formatPath(edit.newer)
        ? `"${formatPath(edit.older)}" is where it was`
        : undefined;
    case 'path':
      return operations.some(({ id, path }) => id === edit.operation && path === edit.older)
        ? `${edit.operation} has the path ${edit.older} already`
        : undefined;
    case 'method':
      return operations.some(({ id, method }) => id === edit.operation && method === edit.older)
        ? `${edit.operation} has the method ${edit.older} already`
        : undefined;
    case 'status':
      return operations.some(({ id, response }) => id === edit.operation && response.status === edit.older)
        ? `${edit.operation} answers ${edit.older} already`
        : undefined;
    case 'header':
      return edit.older === edit.newer && !edit.schema && !edit.up && !edit.down
        ? `${edit.operation} has ${edit.newer} as it was`
        : undefined;
    case 'media-type':
      return operations.some(({ id, body }) => id === edit.operation && body?.mediaType === edit.older)
        ? `${edit.operation} takes ${edit.older} already`
        : undefined;
    case 'event':
      return edit.older === edit.newer ? `the event is called ${edit.newer} already` : undefined;
    case 'error-code':
      return edit.older === edit.newer && edit.olderStatus === undefined
        ? `the code is ${edit.newer} already`
        : undefined;
    case 'operation-error':
      return 'code' in edit.older && edit.older.code === edit.newer && edit.older.status === undefined
        ? `${edit.operation} answers ${edit.newer} already`
        : undefined;
    case 'query':
      if (edit.adapts) {
        const { parameter, schema } = edit.adapts;
        const newer = operationsOf(operations, edit.of).flatMap(({ parameters }) => parameters);
        return newer.some(({ name, schema: each }) => name === parameter && isDeepStrictEqual(schema(each), each))
          ? `the parameter ${parameter} is the same already`
          : undefined;
      }
      return edit.adds.length === 1 && edit.removes.length === 1 && edit.adds[0]?.name === edit.removes[0] && edit.names
        ? `the parameter is called ${edit.removes[0]} already`
        : undefined;
    default:
      return undefined;
  }
}

/** The contract before a step, given the one after it. */
function derive(newer: Contract, step: Step, scopes: Scopes, faults: string[]): Contract {
  const resources = new Map(newer.resources);
  const trees = new Map<string, Node>();
  for (const [resource, edits] of step.edits) {
    const schema = resources.get(resource);
    // Contracts of tests may have no errors in detail.
    if (!schema && ERRORS.includes(resource) && step.operationEdits.some(({ kind }) => kind === 'error-code')) continue;
    if (!schema) {
      faults.push(`change ${step.name} matches nothing: there is no resource ${resource}`);
      continue;
    }
    if (edits.length === 0) faults.push(`change ${step.name} changes nothing in ${resource}`);
    const told = discriminatorsOf(newer.resources, resource).filter((name) =>
      edits.some((edit) => newerPaths(edit).some((path) => path.length === 1 && path[0] === name)),
    );
    for (const name of told)
      faults.push(`change ${step.name} edits ${resource}.${name}, by which a union tells its members apart`);
    if (told.length > 0) continue;
    const open = openObjectOf(identityTree(schema));
    if (open !== undefined) {
      faults.push(
        `change ${step.name} does not fit ${resource}: ${open} may have members that have no name, and a translated object has only those that do; give them a member of their own`,
      );
      continue;
    }
    try {
      const tree = downTree(schema, step, edits);
      trees.set(resource, tree);
      resources.set(resource, schemaOf(tree));
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(`change ${step.name} does not fit ${resource}: ${error.message}`);
    }
  }
  for (const [edited, tree] of trees) {
    const before = newer.resources.get(edited) as JsonSchema;
    for (const [name, schema] of resources) resources.set(name, olderFieldNames(schema, edited, before, tree));
  }
  const values: KnownValues[] = [];
  for (const edit of step.values)
    try {
      const reference = referenceOf(newer, edit);
      values.push({ edit, reference });
      const missing = (edit.names ?? []).find((word) => !reference.enum?.includes(word));
      if (missing !== undefined) throw new EditRefused(`${edit.of}: the newer version has no ${missing}`);
      const other = otherWithPattern(newer.resources, edit, reference, scopes.originalOf);
      if (other !== undefined)
        throw new EditRefused(`${other} has the pattern of ${edit.of}: nothing tells one from the other`);
      for (const [name, schema] of resources) resources.set(name, olderValues(schema, edit, reference));
      const older = referenceOf({ ...newer, resources }, edit);
      if (isDeepStrictEqual(older.pattern, reference.pattern) && isDeepStrictEqual(older.enum, reference.enum))
        throw new EditRefused(`${edit.of} is the same in both versions: this changes nothing`);
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(`change ${step.name} does not fit: ${error.message}`);
    }
  for (const edit of [...[...step.edits.values()].flat(), ...step.operationEdits]) {
    const why = unchanging(edit, newer.operations);
    if (why !== undefined) faults.push(`change ${step.name} changes nothing: ${why}`);
  }
  for (const [older, newerName] of Object.entries(step.change.schemas ?? {}))
    if (!newer.resources.has(newerName))
      faults.push(`change ${step.name} matches nothing: there is no resource ${newerName}`);
    else if (newer.resources.has(older))
      faults.push(`change ${step.name} does not fit ${newerName}: there is a resource ${older} already`);
  for (const edit of step.operationEdits) {
    const unmatched = unmatchedOperations(newer.operations, edit);
    if (unmatched !== undefined) faults.push(`change ${step.name} matches nothing: ${unmatched}`);
  }
  const operations = newer.operations.map((operation) => {
    try {
      const older = olderOperation(operation, step, trees);
      return values.length === 0 ? older : { ...older, parameters: olderParameters(older.parameters, values) };
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(`change ${step.name} does not fit ${operation.id}: ${error.message}`);
      return operation;
    }
  });
  faults.push(...pathFaults(newer.operations, operations, step));
  return { resources, operations };
}

/** An object with named members that takes others as well: what it has beside them would be lost on every way. */
function openObjectOf(tree: Node, path: Path = []): string | undefined {
  if (tree.kind === 'leaf') return undefined;
  const { additionalProperties = false } = tree.shell;
  if (additionalProperties !== false) return path.length === 0 ? 'it' : `"${formatPath(path)}"`;
  for (const [name, member] of tree.members) {
    const open = openObjectOf(member, [...path, name]);
    if (open !== undefined) return open;
  }
  return undefined;
}

/** Paths that the step gives an older version and that could not be served. */
function pathFaults(newer: readonly Operation[], older: readonly Operation[], step: Step): readonly string[] {
  const names = (path: string): string =>
    [...path.matchAll(/\{([^}]+)\}/g)]
      .map(([, name]) => name)
      .sort()
      .join(', ');
  const shape = ({ method, path }: Operation): string => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;
  const faults: string[] = [];
  for (const edit of step.operationEdits) {
    if (edit.kind === 'method') {
      const operation = newer.find(({ id }) => id === edit.operation);
      if (operation && takesBody(operation.method) !== takesBody(edit.older))
        faults.push(
          `change ${step.name}: ${edit.operation} cannot be ${edit.older} before and ${operation.method} now: one has a body and the other has none`,
        );
    }
    if (edit.kind !== 'path' && edit.kind !== 'method') continue;
    const [before, after] = [older, newer].map((list) => list.find(({ id }) => id === edit.operation));
    if (!before || !after) continue;
    const given = edit.kind === 'path' ? edit.parameters : {};
    const path = before.path.replace(/\{([^}]+)\}/g, (_, name: string) => `{${given[name] ?? name}}`);
    if (names(path) !== names(after.path))
      faults.push(
        `change ${step.name}: the older path ${before.path} of ${edit.operation} has other parameters than ${after.path}: both need {${names(after.path)}}`,
      );
    const other = older.find((each) => each.id !== before.id && shape(each) === shape(before));
    if (other)
      faults.push(
        `change ${step.name}: the older version has two operations at ${before.method} ${before.path}: ${before.id} and ${other.id}`,
      );
  }
  return faults;
}

/** Whether a body is an object of members, which can be written in either form. */
function isFields(mediaType: BodyMediaType): boolean {
  return !mediaType.startsWith('multipart/');
}

function takesBody(method: Operation['method']): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** An operation of a contract by its id. Contracts do not change, and every plan asks. */
export function operationOf(contract: Contract, id: string): Operation | undefined {
  let known = byId.get(contract);
  if (!known) {
    known = new Map(contract.operations.map((operation) => [operation.id, operation]));
    byId.set(contract, known);
  }
  return known.get(id);
}

const byId = new WeakMap<Contract, ReadonlyMap<string, Operation>>();

/** Whether a version at a level still has an operation of head. */
export function hasEnded(catalogue: Catalogue, level: number, operation: string): boolean {
  return catalogue.steps
    .slice(0, level)
    .some((step) => step.operationEdits.some((edit) => edit.kind === 'ended' && edit.operation === operation));
}

/** Members of a resource that a union which refers to it chooses by. */
function discriminatorsOf(resources: ReadonlyMap<string, JsonSchema>, resource: string): readonly string[] {
  const names = new Set<string>();
  const visit = (schema: JsonSchema): void => {
    if (schema.discriminator && Object.values(schema.discriminator.mapping ?? {}).includes(resource))
      names.add(schema.discriminator.propertyName);
    for (const member of Object.values(schema.properties ?? {})) visit(member);
    if (schema.items) visit(schema.items);
    for (const member of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) visit(member);
    if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
  };
  for (const schema of resources.values()) visit(schema);
  return [...names];
}

function newerPaths(edit: Edit): readonly Path[] {
  switch (edit.kind) {
    case 'move':
      return [edit.newer];
    case 'narrow':
    case 'fill':
      return [edit.path];
    case 'relate':
      return edit.newer;
  }
}

function downTree(schema: JsonSchema, step: Step, edits: readonly Edit[]): Node {
  const context = { change: step.name, contextKey: step.change.id };
  return [...edits].reverse().reduce((tree, edit) => applyDown(tree, edit, context), identityTree(schema));
}

function unmatchedOperations(operations: readonly Operation[], edit: OperationEdit): string | undefined {
  const exists = (id: string): boolean => operations.some((operation) => operation.id === id);
  switch (edit.kind) {
    case 'path':
    case 'status':
    case 'method':
    case 'ended':
      return exists(edit.operation) ? undefined : `there is no operation ${edit.operation}`;
    case 'header':
      return headerFault(
        operations.find(({ id }) => id === edit.operation),
        edit,
      );
    case 'media-type': {
      const body = operations.find(({ id }) => id === edit.operation)?.body;
      if (!body) return `there is no operation ${edit.operation} that takes a body`;
      return isFields(body.mediaType) && isFields(edit.older)
        ? undefined
        : `${edit.operation} takes ${body.mediaType}, which cannot be made of ${edit.older}`;
    }
    case 'refusal': {
      const operation = operations.find(({ id }) => id === edit.operation);
      if (!operation) return `there is no operation ${edit.operation}`;
      return operation.method === 'GET'
        ? undefined
        : `${edit.operation} writes: what it carried out cannot be told as refused`;
    }
    case 'event': {
      const events = operations.find(({ id }) => id === edit.operation)?.response.events ?? {};
      if (!Object.hasOwn(events, edit.newer)) return `${edit.operation} has no event ${edit.newer}`;
      return edit.older !== undefined && edit.older !== edit.newer && Object.hasOwn(events, edit.older)
        ? `${edit.operation} has an event ${edit.older} in the newer version as well`
        : undefined;
    }
    case 'query': {
      const targets = operationsOf(operations, edit.of);
      if (targets.length === 0) return 'no operation answers what the change speaks of';
      const missing = edit.removes.find(
        (name) => !targets.some((each) => each.parameters.some((p) => p.name === name)),
      );
      if (missing !== undefined) return `no operation has the parameter ${missing}`;
      const adapted = edit.adapts?.parameter;
      return adapted === undefined || targets.some((each) => each.parameters.some(({ name }) => name === adapted))
        ? undefined
        : `no operation has the parameter ${adapted}`;
    }
    case 'operation-error': {
      const operation = operations.find(({ id }) => id === edit.operation);
      if (!operation) return `there is no operation ${edit.operation}`;
      if ('data' in edit.older && edit.older.status === 204) return `${edit.operation} answered 204, which has no body`;
      if (!('code' in edit.older) && edit.older.status !== 204 && !edit.older.data)
        return `${edit.operation} answered ${edit.older.status} and nothing says with which body`;
      return operation.errors.includes(edit.newer) || commonErrors.includes(edit.newer)
        ? undefined
        : `${edit.operation} does not answer the error ${edit.newer}`;
    }
    case 'error-code':
      return operations.some(({ errors }) => errors.includes(edit.newer)) ||
        (commonErrors as readonly string[]).includes(edit.newer)
        ? undefined
        : `no operation answers the error ${edit.newer}`;
  }
}
