import type { CareDetails, CareLine, Condition, Source, Treatment } from './types.ts';

/** Said where no dose is written down. */
export const BY_PROTOCOL = 'By local protocol.';

/** How a treatment is given for a condition: what the condition says of it over what it says of itself. */
export interface Care {
  readonly line: CareLine;
  readonly for_whom: string | null;
  readonly age_min_years: number | null;
  readonly age_max_years: number | null;
  readonly purpose: string | null;
  /** Null where nothing is given in doses. */
  readonly dose: string | null;
  readonly checks: readonly string[];
  /** Ids of classes and substances. */
  readonly never_with: readonly string[];
  /** The document that says so; null where it is an estimate. */
  readonly source: string | null;
  readonly despite: CareDetails['despite'] | null;
}

/** @param treatment one of the condition's. */
export function careOf(condition: Condition, treatment: Treatment): Care {
  const own = condition.care?.[treatment.id] ?? {};
  return {
    line: own.line ?? lineOf(condition, treatment),
    for_whom: own.for_whom ?? null,
    age_min_years: own.age_min_years ?? null,
    age_max_years: own.age_max_years ?? null,
    purpose: own.purpose ?? treatment.purpose ?? null,
    dose: own.dose ?? treatment.dose ?? (treatment.uses ? BY_PROTOCOL : null),
    checks: own.checks ?? treatment.checks ?? [],
    never_with: own.never_with ?? treatment.never_with ?? [],
    source: own.source ?? sourceFor(condition, treatment),
    despite: own.despite ?? null,
  };
}

/** A document on a treatment says it of those conditions that cite it; of the others it is an estimate. */
function sourceFor({ sources }: Condition, { source }: Treatment): string | null {
  return source !== undefined && sources.includes(source) ? source : null;
}

/** What has no line of its own: the usual ones come first; what heals nothing goes beside. */
function lineOf(condition: Condition, { id, kind }: Treatment): CareLine {
  if (kind === 'monitoring' || kind === 'referral') return 'alongside';
  if (condition.treatments[0] === id) return condition.urgency === 'emergency' ? 'act' : 'first';
  return condition.urgency === 'emergency' ? 'first_hour' : 'further';
}

/** Whether a document can be found by what is written of it: title, publisher, year and a number of its own. */
export function isCitable({ organisation, year, identifier }: Source): boolean {
  return organisation !== undefined && year !== null && identifier !== undefined;
}
