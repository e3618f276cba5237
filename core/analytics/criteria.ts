import type { DetailCode } from '@perennial/schemas/errors.ts';
import type { Written } from '@perennial/schemas/operation-types.ts';
import type {
  AlternativeCriterion,
  CohortCriterion,
  MeasurementCriterion,
  PatientCriterion,
  RecordCriterion,
} from '@perennial/schemas/resources/cohort.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { contactMethods, sexes } from '@perennial/schemas/resources/patient.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Static } from 'typebox';
import type { Clauses } from './prune.ts';

/** Most criteria of a cohort, those inside `any_of` included: a bit each, and a subquery each. */
const CRITERIA_MAX = 10;
/** Births are told apart by five years, so that nobody can be singled out by moving a limit. */
const BIRTH_YEARS = 5;
const SIGNIFICANT_DIGITS_MAX = 3;

type Test = Static<typeof PatientCriterion>['test'];
type Leaf = AlternativeCriterion;
/** Criteria as a client writes them: what may be null may be left out. */
export type CriterionWrite = Written<CohortCriterion>;
type LeafWrite = Written<AlternativeCriterion>;
type RecordLeaf = Written<Static<typeof RecordCriterion>>;

/** What a cohort selects by: each different criterion once, and how they are combined. */
export interface Selection {
  readonly criteria: readonly Leaf[];
  readonly clauses: Clauses;
}

/** Everybody. */
export const everybody: Selection = { criteria: [], clauses: [] };

/** The criteria of one or several cohorts (all must be met), in an order that does not depend on how they were written. */
export function selectionOf(criteria: readonly CohortCriterion[]): Selection {
  const known: string[] = [];
  const distinct: Leaf[] = [];
  const sorted = criteria
    .map((each) => (each.kind === 'any_of' ? each.criteria : [each]))
    .map((clause) => clause.map((each) => normal(each)).sort((a, b) => (a.text < b.text ? -1 : 1)))
    .sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const clauses = sorted.map((clause) =>
    clause.map(({ text, leaf }) => {
      const at = known.indexOf(text);
      if (at >= 0) return at;
      distinct.push(leaf);
      return known.push(text) - 1;
    }),
  );
  return { criteria: distinct, clauses };
}

function textOf(clause: readonly { readonly text: string }[]): string {
  return clause.map(({ text }) => text).join('|');
}

function normal(given: Leaf): { readonly text: string; readonly leaf: Leaf } {
  const leaf = complete(given);
  return { leaf, text: JSON.stringify(leaf) };
}

/** Every member there, in the contract's order: what was left out is what it means. */
export function complete(leaf: LeafWrite): Leaf {
  switch (leaf.kind) {
    case 'patient':
      return { kind: leaf.kind, field: leaf.field, test: leaf.test, value: leaf.value ?? null };
    case 'record': {
      const { kind, type, code, present } = leaf;
      const { system, match, from, until } = leaf;
      return {
        kind,
        type,
        code,
        system: system ?? null,
        match: match ?? 'starts_with',
        from: from ?? null,
        until: until ?? null,
        present,
      };
    }
    case 'measurement': {
      const { kind, code, system, test, value, unit } = leaf;
      return { kind, code, system: system ?? null, test, value, unit };
    }
  }
}

/** Criteria as stored and answered. */
export function completeAll(criteria: readonly CriterionWrite[]): readonly CohortCriterion[] {
  return criteria.map((each) =>
    each.kind === 'any_of' ? { kind: each.kind, criteria: (each.criteria ?? []).map(complete) } : complete(each),
  );
}

/** What the schema cannot say. Pointers are into the body of a cohort. */
export function criteriaFaults(criteria: readonly CriterionWrite[]): readonly ErrorDetail[] {
  const leaves = criteria.flatMap((each, index): readonly (readonly [LeafWrite, string])[] => {
    const place = `/criteria/${index}`;
    return each.kind === 'any_of'
      ? (each.criteria ?? []).map((inner, at) => [inner, `${place}/criteria/${at}`] as const)
      : [[each, place]];
  });
  const faults = leaves.flatMap(([leaf, place]) =>
    faultsOf(leaf).map(({ member, code }) => faultAt(`${place}/${member}`, code)),
  );
  return leaves.length > CRITERIA_MAX ? [faultAt('/criteria', 'too_many'), ...faults] : faults;
}

interface MemberFault {
  readonly member: string;
  readonly code: DetailCode;
}

function faultsOf(leaf: LeafWrite): readonly MemberFault[] {
  switch (leaf.kind) {
    case 'patient':
      return patientFaults(leaf);
    case 'record':
      return monthFaults(leaf);
    case 'measurement':
      return measurementFaults(leaf);
  }
}

const choice: readonly Test[] = ['is', 'is_not', 'recorded', 'not_recorded'];
const known: readonly Test[] = ['recorded', 'not_recorded'];

const fieldTests: Readonly<Record<Static<typeof PatientCriterion>['field'], readonly Test[]>> = {
  dob: ['from', 'before'],
  sex: choice,
  // Free text: comparing it would let a caller guess at the words of a single person.
  gender_identity: known,
  'contact_info.email': known,
  'contact_info.phone': known,
  'contact_info.preferred_method': choice,
};

function patientFaults({ field, test, value }: Written<Static<typeof PatientCriterion>>): readonly MemberFault[] {
  if (!fieldTests[field].includes(test)) return [{ member: 'test', code: 'not_allowed_value' }];
  if (known.includes(test))
    return value === null || value === undefined ? [] : [{ member: 'value', code: 'not_allowed_value' }];
  if (value === null || value === undefined) return [{ member: 'value', code: 'required' }];
  if (field !== 'dob') {
    const words: readonly string[] = field === 'sex' ? sexes : contactMethods;
    return words.includes(value) ? [] : [{ member: 'value', code: 'not_allowed_value' }];
  }
  const year = /^(1[89]|20)\d\d-01-01$/.test(value) ? Number(value.slice(0, 4)) : Number.NaN;
  if (Number.isNaN(year) || year % BIRTH_YEARS !== 0) return [{ member: 'value', code: 'not_allowed_value' }];
  return [];
}

function monthFaults({ from, until }: RecordLeaf): readonly MemberFault[] {
  return from && until && until < from ? [{ member: 'until', code: 'too_small' }] : [];
}

function measurementFaults({ value }: Written<Static<typeof MeasurementCriterion>>): readonly MemberFault[] {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS_MAX)) === value ? [] : [{ member: 'value', code: 'wrong_format' }];
}
