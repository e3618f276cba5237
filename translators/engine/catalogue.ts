import { type Behaviours, headBehaviours } from '@perennial/schemas/behaviours.ts';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { History } from '@perennial/schemas/history.ts';
import type { JsonSchema } from '@perennial/schemas/json-schema.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { commonErrors, type Operation } from '@perennial/schemas/operation.ts';
import type { OperationEdit, ReleaseChanges } from './change.ts';
import { applyDown, type Edit } from './edit.ts';
import { CatalogueInvalid, EditRefused } from './failures.ts';
import { olderFieldNames } from './field-names.ts';
import { olderOperation } from './parameters.ts';
import type { Path } from './path.ts';
import { operationsOf, type Step } from './step.ts';
import { identityTree, type Node, schemaOf } from './tree.ts';

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

  const steps = stepsOf(releases, faults);
  const contracts: Contract[] = [head];
  for (const step of [...steps].reverse()) contracts.unshift(derive(contracts[0] as Contract, step, faults));
  if (faults.length > 0) throw new CatalogueInvalid(faults);

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
  };
}

function stepsOf(releases: readonly ReleaseChanges[], faults: string[]): readonly Step[] {
  const seen = new Map<string, string>();
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
      for (const { resource, edits: list } of change.resources ?? []) {
        if (edits.has(resource)) faults.push(`change ${name} names ${resource} twice; put its edits in one list`);
        edits.set(resource, list.flat());
      }
      const operationEdits = change.operations ?? [];
      if (edits.size === 0 && operationEdits.length === 0 && Object.keys(change.behaviours ?? {}).length === 0)
        faults.push(`change ${name} changes nothing`);
      return { release: release.id, change, name, edits, operationEdits };
    }),
  );
}

/** The list of codes that the older version can answer. */
function renameCode(resources: Map<string, JsonSchema>, newer: string, older: string): void {
  const schema = resources.get('ErrorBody');
  const code = schema?.properties?.['code'];
  if (!schema || !code?.enum) return;
  const renamed = code.enum.map((each) => (each === newer ? older : each));
  resources.set('ErrorBody', { ...schema, properties: { ...schema.properties, code: { ...code, enum: renamed } } });
}

/** The contract before a step, given the one after it. */
function derive(newer: Contract, step: Step, faults: string[]): Contract {
  const resources = new Map(newer.resources);
  const trees = new Map<string, Node>();
  for (const [resource, edits] of step.edits) {
    const schema = resources.get(resource);
    if (!schema) {
      faults.push(`change ${step.name} matches nothing: there is no resource ${resource}`);
      continue;
    }
    if (edits.length === 0) faults.push(`change ${step.name} changes nothing in ${resource}`);
    for (const name of discriminatorsOf(newer.resources, resource))
      if (edits.some((edit) => newerPaths(edit).some((path) => path.length === 1 && path[0] === name)))
        faults.push(`change ${step.name} edits ${resource}.${name}, by which a union tells its members apart`);
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
  for (const edit of step.operationEdits) {
    if (edit.kind === 'error-code') renameCode(resources, edit.newer, edit.older);
    const unmatched = unmatchedOperations(newer.operations, edit);
    if (unmatched !== undefined) faults.push(`change ${step.name} matches nothing: ${unmatched}`);
  }
  const operations = newer.operations.map((operation) => {
    try {
      return olderOperation(operation, step, trees);
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(`change ${step.name} does not fit ${operation.id}: ${error.message}`);
      return operation;
    }
  });
  return { resources, operations };
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
      return exists(edit.operation) ? undefined : `there is no operation ${edit.operation}`;
    case 'query': {
      const targets = operationsOf(operations, edit.of);
      if (targets.length === 0) return 'no operation answers what the change speaks of';
      const missing = edit.removes.find(
        (name) => !targets.some((each) => each.parameters.some((p) => p.name === name)),
      );
      return missing === undefined ? undefined : `no operation has the parameter ${missing}`;
    }
    case 'error-code':
      return operations.some(({ errors }) => errors.includes(edit.newer)) ||
        (commonErrors as readonly string[]).includes(edit.newer)
        ? undefined
        : `no operation answers the error ${edit.newer}`;
  }
}
