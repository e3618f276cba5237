import type { Contract } from '@perennial/schemas/contract.ts';
import type { Operation } from '@perennial/schemas/operation.ts';
import { eachRef } from '@perennial/schemas/platform/json-schema.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import type { Change, ChangeExample, OperationEdit, ValueEdit } from './change.ts';
import type { Edit } from './edit.ts';

/** One change at its place in the order. */
export interface Step {
  readonly release: string;
  readonly change: Change;
  /** `release/change`, for logs, error codes and tests. */
  readonly name: string;
  /** Edits by resource, in upward order. */
  readonly edits: ReadonlyMap<string, readonly Edit[]>;
  readonly operationEdits: readonly OperationEdit[];
  /** A step of values has no other edits. */
  readonly values: readonly ValueEdit[];
  readonly examples: readonly ChangeExample[];
}

/** The operations that a query edit speaks of. */
export function operationsOf(operations: readonly Operation[], of: 'pages' | readonly string[]): readonly Operation[] {
  if (of === 'pages') return operations.filter(answersPage);
  return operations.filter((operation) => of.includes(operation.id));
}

/** Whether the operation answers a page of something. */
export function answersPage(operation: Operation): boolean {
  return operation.response.ref !== undefined && parseRef(operation.response.ref).variant === 'page';
}

/** The resources that a reference leads to, itself included, at one level. */
export function reachable(contract: Contract, ref: string): ReadonlySet<string> {
  let known = reached.get(contract);
  if (!known) {
    known = new Map();
    reached.set(contract, known);
  }
  let found = known.get(ref);
  if (!found) {
    found = reach(contract, ref);
    known.set(ref, found);
  }
  return found;
}

/** Contracts do not change, and every plan asks for the same few resources. */
const reached = new WeakMap<Contract, Map<string, ReadonlySet<string>>>();

function reach(contract: Contract, ref: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (each: string): void => {
    if (each === '#item') return;
    const { resource, variant } = parseRef(each);
    if (variant === 'page' && !seen.has('Page')) visit('Page');
    if (seen.has(resource)) return;
    seen.add(resource);
    const schema = contract.resources.get(resource);
    if (schema) eachRef(schema, visit);
  };
  visit(ref);
  return seen;
}
