import { invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import {
  type InteractionCheck,
  type InteractionCheckRequest,
  MEDICATIONS_MAX,
  type MedicationInput as MedicationInputBody,
  type MedicationResolution,
} from '@perennial/schemas/resources/medication.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { toCheck, toResolution } from './answer.ts';
import { keyOf, type ListEntry, pairKey } from './entries.ts';
import { joinFacts, type RecordedFacts, readFacts } from './facts.ts';
import type { FactRow, PatientRow } from './facts-store.ts';
import { checkInteractions } from './interactions.ts';
import type { Exposure } from './judge.ts';
import { findMedicationMentions, type MedicationMention } from './mentions.ts';
import type { OverrideRow } from './override-store.ts';
import { withFunctionByCode } from './patient.ts';
import { type MedicationInput, resolveMedication } from './resolve.ts';
import { createTreatmentJudge, type JudgeTreatment } from './treatments.ts';
import type { MedicationKnowledge, Substance } from './types.ts';

/** What the records say about a patient, as they were read. */
export interface RecordedRows {
  readonly patient: PatientRow;
  readonly rows: readonly FactRow[];
  /** The day on which the age is reckoned. */
  readonly now: Date;
}

/** What an interaction check works on. */
export interface CheckAsked {
  readonly body: InteractionCheckRequest;
  readonly recorded: RecordedRows | undefined;
  /** Of the patient, newest first. */
  readonly overrides: readonly OverrideRow[];
  readonly now: Date;
}

/** What the knowledge says of the two medications of an override. */
export type Overridden = Pick<OverrideRow, 'pairKey' | 'medications' | 'severity' | 'ruleIds' | 'knowledgeVersion'>;

/** Drug interaction checking by the knowledge alone: it asks no database, and gives the same for the same input. */
export class MedicationMind {
  readonly #knowledge: MedicationKnowledge;

  constructor(knowledge: MedicationKnowledge) {
    this.#knowledge = knowledge;
    // A misspelt name and a pair: what is compiled at first use is compiled now.
    checkInteractions(knowledge, { medications: [{ name: 'warfarine' }, { name: 'ibuprofen' }], patient: { age: 70 } });
  }

  /** The check as answered. */
  check({ body, recorded: rows, overrides, now }: CheckAsked): InteractionCheck {
    const recorded = rows && this.read(rows);
    const wantsRecorded = body.options?.includeRecordedMedications ?? true;
    const list = this.#join((body.medications ?? []).map(toInput), wantsRecorded ? (recorded?.medications ?? []) : []);
    const knowsPatient = recorded !== undefined || body.patientData !== undefined;
    const patient = knowsPatient ? joinFacts(recorded?.context, body.patientData) : undefined;
    const check = checkInteractions(this.#knowledge, {
      medications: list.entries.map(({ input }) => input),
      ...(patient ? { patient } : {}),
      includeFoodAndAlcohol: body.options?.includeFoodAndAlcohol ?? true,
      today: now.toISOString().slice(0, 10),
    });
    return toCheck({
      knowledge: this.#knowledge,
      check,
      origins: list.entries,
      leftOut: list.leftOut,
      patient,
      patientId: body.patient_id ?? null,
      conditionsNotJudged: recorded?.conditionsNotJudged ?? [],
      egfrMeasuredAt: body.patientData?.egfr === undefined ? (recorded?.egfrMeasuredAt ?? null) : null,
      overrides,
      minimumSeverity: body.options?.minimumSeverity ?? 'none_known',
      views: body.options?.views ?? [],
      now,
    });
  }

  resolve(medications: readonly MedicationInputBody[]): MedicationResolution {
    return toResolution(
      this.#knowledge,
      medications.map((each) => resolveMedication(this.#knowledge, toInput(each)).medication),
    );
  }

  /**
   * What an override of two medications is about.
   * @param faults found elsewhere in what was sent: told together with a medication that is not understood.
   * @throws Fault `validation_failed`
   */
  overridden(medications: readonly MedicationInputBody[], faults: readonly ErrorDetail[]): Overridden {
    const inputs = medications.map(toInput);
    const resolved = inputs.map((input) => resolveMedication(this.#knowledge, input));
    const unknownAt = resolved.findIndex(({ medication }) => medication.status !== 'resolved');
    const unknown = unknownAt < 0 ? [] : [faultAt(`/medications/${unknownAt}`, 'not_allowed_value')];
    if (unknown.length + faults.length > 0) throw invalid([...unknown, ...faults]);
    const check = checkInteractions(this.#knowledge, { medications: inputs, includeFoodAndAlcohol: false });
    const sets = resolved.map(({ substances }) => substances);
    return {
      pairKey: pairKey(sets[0] ?? [], sets[1] ?? []),
      medications: medications.map(({ name, code }, index) => ({
        name: name ?? null,
        code: code ?? null,
        substance_ids: (sets[index] ?? []).map(({ id }) => id),
      })),
      severity: check.pairs[0]?.severity ?? 'unknown',
      ruleIds: check.pairs[0]?.rules ?? [],
      knowledgeVersion: this.#knowledge.version,
    };
  }

  /** The records of a patient, understood. */
  read({ patient, rows, now }: RecordedRows): RecordedFacts {
    return readFacts(this.#knowledge, patient, rows, now);
  }

  /**
   * Says what speaks against treatments for one patient.
   * @param named medicines that are taken, as they were sent. What is not understood is not judged.
   */
  treatmentJudge(facts: RecordedFacts, named: readonly string[]): JudgeTreatment {
    const inputs = [...facts.medications.map(({ input }) => input), ...named.map((name) => ({ name }))];
    const taken = new Map<string, Exposure>();
    for (const { medication, substances } of inputs.map((input) => resolveMedication(this.#knowledge, input))) {
      if (medication.status !== 'resolved') continue;
      for (const substance of substances) taken.set(substance.id, { substance, route: medication.route });
    }
    const { patient } = withFunctionByCode(facts.context);
    return createTreatmentJudge(this.#knowledge, patient, [...taken.values()]);
  }

  /** The name of a substance or of a class; the id itself where it is neither. */
  nameOf(id: string): string {
    return this.#knowledge.byId.get(id)?.name ?? this.#knowledge.classes.get(id)?.name ?? id;
  }

  /** The medicines that a text names. */
  mentions(text: string): readonly MedicationMention[] {
    return findMedicationMentions(this.#knowledge, text);
  }

  /**
   * The list to check. A recorded medication of the same substances as one that was sent is the same medication said
   * twice, not duplicate therapy; two that were sent, or two records, stay two.
   */
  #join(
    sent: readonly MedicationInput[],
    recorded: RecordedFacts['medications'],
  ): { readonly entries: readonly ListEntry[]; readonly leftOut: number } {
    const entries: ListEntry[] = sent.map((input) => ({ input, origin: 'request', recordId: null }));
    const keys = sent.map((input) => substancesKey(resolveMedication(this.#knowledge, input)));
    let leftOut = 0;
    for (const { recordId, input } of recorded) {
      const key = substancesKey(resolveMedication(this.#knowledge, input));
      const said = key === '' ? -1 : keys.indexOf(key);
      const entry = entries[said];
      if (entry) entries[said] = { ...entry, recordId: entry.recordId ?? recordId };
      else if (entries.length < MEDICATIONS_MAX) entries.push({ input, origin: 'record', recordId });
      else leftOut += 1;
    }
    return { entries, leftOut };
  }
}

function substancesKey({
  medication,
  substances,
}: {
  readonly medication: { readonly status: string };
  readonly substances: readonly Substance[];
}): string {
  return medication.status === 'resolved' ? keyOf(substances) : '';
}

function toInput({ name, code, route, dosage, started_on, stopped_on }: MedicationInputBody): MedicationInput {
  return {
    ...(name ? { name } : {}),
    ...(code ? { code } : {}),
    ...(route ? { route } : {}),
    ...(dosage ? { dosage } : {}),
    ...(started_on ? { startedOn: started_on } : {}),
    ...(stopped_on ? { stoppedOn: stopped_on } : {}),
  };
}
