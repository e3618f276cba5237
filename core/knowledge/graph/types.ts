import { type RelationshipType, relationshipTypes } from '@perennial/schemas/resources/knowledge-graph.ts';
import type { Certainty as MedicationCertainty, Severity } from '../../medications/types.ts';
import type { Certainty } from '../types.ts';

/** How two nodes are related. Nodes are positions in the catalogue. */
export interface Edge {
  readonly type: RelationshipType;
  readonly from: number;
  readonly to: number;
  /** 0 to 1, or null where it is no matter of degree. */
  readonly likelihood: number | null;
  readonly certainty: Certainty | MedicationCertainty | null;
  readonly severity: Severity | null;
  /** The rule of the medication knowledge that says so, where one does. */
  readonly rule: string | null;
}

/** Several types of relationships as one bit each. */
export type TypeSet = number;

/** Position of a type in the contract's list: the order in which neighbours are listed. */
export const typeRank: Readonly<Record<RelationshipType, number>> = Object.fromEntries(
  relationshipTypes.map((type, index) => [type, index]),
) as Record<RelationshipType, number>;

export function typeSet(types: Iterable<RelationshipType>): TypeSet {
  let set = 0;
  for (const type of types) set |= 1 << typeRank[type];
  return set;
}

export function hasType(set: TypeSet, type: RelationshipType): boolean {
  return ((set >>> typeRank[type]) & 1) === 1;
}

export const allTypes: TypeSet = typeSet(relationshipTypes);

/** What paths follow unless types are named: groups relate everything to everything, and interactions nearly so. */
export const pathTypes: TypeSet = typeSet(
  relationshipTypes.filter((type) => !['interacts_with', 'in_class', 'in_category'].includes(type)),
);

/** The question reaches further than one answer may. */
export class TooBroad extends Error {
  override readonly name = 'TooBroad';
}
