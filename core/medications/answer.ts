import type { PatientId } from '@perennial/schemas/platform/ids.ts';
import type {
  InteractionCheck as InteractionCheckBody,
  MedicationResolution,
} from '@perennial/schemas/resources/medication.ts';
import type { InteractionOverride, InteractionOverrideNote } from '@perennial/schemas/resources/medication-override.ts';
import { type ListEntry, pairKey } from './entries.ts';
import { type InteractionCheck, MODEL_VERSION, type PairJudgement } from './interactions.ts';
import { type Finding, severityRank } from './judge.ts';
import type { OverrideRow } from './override-store.ts';
import type { PatientContext } from './patient.ts';
import type { ResolvedMedication } from './resolve.ts';
import type { MedicationKnowledge, Severity } from './types.ts';
import { toMatrix, toPlainText } from './views.ts';

/** Most overrides shown on a pair. */
const OVERRIDES_MAX = 10;

/** Everything an answer is made of. */
export interface CheckParts {
  readonly knowledge: MedicationKnowledge;
  readonly check: InteractionCheck;
  /** One for each entry of the list. */
  readonly origins: readonly ListEntry[];
  /** Recorded medications beyond the limit. */
  readonly leftOut: number;
  /** Undefined when nothing was known. */
  readonly patient: PatientContext | undefined;
  readonly patientId: PatientId | null;
  readonly conditionsNotJudged: readonly string[];
  readonly egfrMeasuredAt: Date | null;
  /** Of the patient, newest first. */
  readonly overrides: readonly OverrideRow[];
  readonly minimumSeverity: Severity;
  /** Other forms that were asked for. */
  readonly views: readonly string[];
  readonly now: Date;
}

/** The check as answered: every key is there, in the contract's order. */
export function toCheck(parts: CheckParts): InteractionCheckBody {
  const { check, knowledge, minimumSeverity } = parts;
  const noted = notesByPair(parts);
  const pairs = check.pairs.map((pair) => ({ pair, overrides: noted(pair) }));
  const least = severityRank(minimumSeverity);
  const listed = pairs.filter(({ pair }) => pair.severity === 'unknown' || severityRank(pair.severity) <= least);
  const incomplete = parts.leftOut > 0;
  const { highest } = check.summary;
  const findings = [
    ...listed.flatMap(({ pair }) => [pair, ...pair.also]),
    ...check.groups,
    ...check.duplicates,
    ...check.food,
    ...check.patient_warnings,
  ];
  return {
    medications: check.medications.map((medication, index) => ({
      origin: parts.origins[index]?.origin ?? 'request',
      record_id: parts.origins[index]?.recordId ?? null,
      resolution: toResolved(medication),
    })),
    summary: {
      by_severity: check.summary.by_severity,
      // What was left out was not judged.
      highest: incomplete && severityRank(highest) > severityRank('unknown') ? 'unknown' : highest,
      interruptive: check.summary.interruptive,
      overridden: pairs.filter(({ overrides }) => overrides.some(({ covers_now }) => covers_now)).length,
      complete: check.summary.complete && !incomplete,
    },
    pairs: listed.map(({ pair, overrides }) => ({
      a: pair.a,
      b: pair.b,
      ...toJudgement(pair),
      also: pair.also.map(toFinding),
      overrides,
    })),
    groups: check.groups.map(({ title, medications, ...rest }) => ({ title, medications, ...toJudgement(rest) })),
    duplicates: check.duplicates.map(({ kind, of, medications, ...rest }) => ({
      kind,
      of,
      medications,
      ...toJudgement(rest),
    })),
    food: check.food.map(({ food, medication, ...rest }) => ({ food, medication, ...toJudgement(rest) })),
    patient_warnings: check.patient_warnings.map(({ kind, medication, ...rest }) => ({
      kind,
      medication,
      ...toJudgement(rest),
    })),
    patient_facts: parts.patient ? toFacts(parts, parts.patient) : null,
    unresolved: check.unresolved.map(({ kind, index, text, status, suggestions }) => ({
      kind,
      index,
      text,
      status,
      suggestions,
    })),
    sources: [...new Set(findings.flatMap(({ sources }) => sources))].sort().flatMap((id) => {
      const source = knowledge.sources.get(id);
      if (!source) return [];
      const { title, publisher, year, url } = source;
      return [{ id, title, publisher, year, url: url ?? null }];
    }),
    matrix: parts.views.includes('matrix') ? toMatrix(check) : null,
    text: parts.views.includes('text') ? toPlainText(check) : null,
    knowledge_version: check.knowledge_version,
    model_version: check.model_version,
    disclaimer: check.disclaimer,
  };
}

/** Medications as they were understood. */
export function toResolution(
  knowledge: MedicationKnowledge,
  medications: readonly ResolvedMedication[],
): MedicationResolution {
  return {
    medications: medications.map(toResolved),
    knowledge_version: knowledge.version,
    model_version: MODEL_VERSION,
    disclaimer: knowledge.disclaimer,
  };
}

/** The override as answered. */
export function toOverride(row: OverrideRow): InteractionOverride {
  return {
    id: row.id,
    patient_id: row.patientId,
    medications: row.medications.map(({ name, code, substance_ids }) => ({
      name,
      code: code && { system: code.system, code: code.code },
      substance_ids,
    })),
    reason_code: row.reasonCode,
    reason_text: row.reasonText,
    severity: row.severity,
    rule_ids: [...row.ruleIds],
    knowledge_version: row.knowledgeVersion,
    created_by: row.keyId,
    created_at: row.createdAt.toISOString(),
  };
}

/** The overrides of a pair. What is judged worse now than it was then is not covered by what was decided then. */
function notesByPair({ check, overrides }: CheckParts): (pair: PairJudgement) => InteractionOverrideNote[] {
  if (overrides.length === 0) return () => [];
  const byKey = new Map<string, OverrideRow[]>();
  for (const row of overrides) byKey.set(row.pairKey, [...(byKey.get(row.pairKey) ?? []), row]);
  return (pair) => {
    const [a, b] = [check.medications[pair.a.index], check.medications[pair.b.index]];
    if (a?.status !== 'resolved' || b?.status !== 'resolved') return [];
    const rows = byKey.get(pairKey(a.substances, b.substances)) ?? [];
    return rows.slice(0, OVERRIDES_MAX).map((row) => ({
      id: row.id,
      reason_code: row.reasonCode,
      reason_text: row.reasonText,
      severity_then: row.severity,
      covers_now: severityRank(pair.severity) >= severityRank(row.severity),
      created_by: row.keyId,
      created_at: row.createdAt.toISOString(),
    }));
  };
}

function toResolved(medication: ResolvedMedication): MedicationResolution['medications'][number] {
  const { input, status, match, substances, suggestions, route, knownDrug, dosage } = medication;
  return {
    name: input.name ?? null,
    code: input.code ? { system: input.code.system, code: input.code.code } : null,
    status,
    match,
    substances,
    suggestions,
    route,
    known_drug: knownDrug,
    dosage: {
      dose_mg: dosage.doseMg,
      per_day: dosage.perDay,
      daily_mg: dosage.dailyMg,
      as_needed: dosage.asNeeded,
    },
  };
}

type Explained = Pick<Finding, 'certainty' | 'mechanism' | 'effect' | 'management' | 'sources'> & {
  readonly severity: Severity;
};
type Judged = Explained & { readonly interruptive: boolean; readonly rules: string[] };

interface ExplanationBody {
  severity: Severity;
  certainty: Finding['certainty'];
  mechanism: string;
  effect: string;
  management: string;
  source_ids: string[];
}

function toExplanation({ severity, certainty, mechanism, effect, management, sources }: Explained): ExplanationBody {
  return { severity, certainty, mechanism, effect, management, source_ids: sources };
}

function toJudgement(judged: Judged): ExplanationBody & { interruptive: boolean; rule_ids: string[] } {
  return { ...toExplanation(judged), interruptive: judged.interruptive, rule_ids: judged.rules };
}

function toFinding(finding: Finding): ExplanationBody & { rule_id: string } {
  return { rule_id: finding.rule, ...toExplanation(finding) };
}

function toFacts(parts: CheckParts, patient: PatientContext): NonNullable<InteractionCheckBody['patient_facts']> {
  return {
    patient_id: parts.patientId,
    age: patient.age ?? null,
    sex: patient.sex ?? null,
    pregnant: patient.pregnant ?? null,
    lactating: patient.lactating ?? null,
    conditions: (patient.conditions ?? []).map(({ code, display }) => ({ code, display: display ?? null })),
    conditions_not_judged: [...parts.conditionsNotJudged],
    allergies: (patient.allergies ?? []).map(({ text }) => text),
    egfr: patient.egfr ?? null,
    egfr_measured_at: parts.egfrMeasuredAt?.toISOString() ?? null,
    neutrophils: patient.neutrophils ?? null,
    platelets: patient.platelets ?? null,
    potassium: patient.potassium ?? null,
    concluded: parts.check.patient_facts_concluded.map(({ fact, code }) => ({ fact, code })),
    child_pugh: patient.childPugh ?? null,
    medications_left_out: parts.leftOut,
    missing: parts.check.patient_facts_missing as NonNullable<InteractionCheckBody['patient_facts']>['missing'],
    as_of: parts.now.toISOString().slice(0, 10),
  };
}
