import type { Database } from '@perennial/prisma/client.ts';
import { newId } from '@perennial/prisma/ids.ts';
import { Fault, invalid, invalidAt } from '@perennial/schemas/http/fault.ts';
import type { Caller } from '@perennial/schemas/internal-token.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import {
  type InteractionCheck,
  type InteractionCheckRequest,
  MEDICATIONS_MAX,
  type MedicationInput as MedicationInputBody,
  type MedicationResolution,
} from '@perennial/schemas/resources/medication.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { ListRequest } from '../ordering.ts';
import type { Found } from '../paging.ts';
import { type CheckParts, toCheck, toResolution } from './answer.ts';
import { keyOf, type ListEntry, pairKey } from './entries.ts';
import { joinFacts, type RecordedFacts, readFacts } from './facts.ts';
import { FactsStore } from './facts-store.ts';
import { checkInteractions } from './interactions.ts';
import type { Exposure } from './judge.ts';
import { loadMedications } from './load.ts';
import { findMedicationMentions, type MedicationMention } from './mentions.ts';
import { type OverrideRow, OverrideStore } from './override-store.ts';
import { type MedicationInput, resolveMedication } from './resolve.ts';
import { createTreatmentJudge, type JudgeTreatment } from './treatments.ts';
import type { MedicationKnowledge, Substance } from './types.ts';

/** What a caller writes to record an override, as validated: `InteractionOverride.create`. */
export interface OverrideWrite {
  readonly patient_id?: string | null;
  readonly medications: readonly MedicationInputBody[];
  readonly reason_code: OverrideRow['reasonCode'];
  readonly reason_text?: string | null;
}

/** Drug interaction checking, by the rules of the contract. */
export class MedicationService {
  readonly #knowledge: MedicationKnowledge;
  readonly #facts: FactsStore;
  readonly #overrides: OverrideStore;

  constructor(database: Database, knowledge: MedicationKnowledge = loadMedications()) {
    this.#knowledge = knowledge;
    this.#facts = new FactsStore(database);
    this.#overrides = new OverrideStore(database);
    // A misspelt name and a pair: what is compiled at first use is compiled now.
    checkInteractions(knowledge, { medications: [{ name: 'warfarine' }, { name: 'ibuprofen' }], patient: { age: 70 } });
  }

  /** @throws Fault `validation_failed`, `not_found`, `scope_missing` when a patient is named by who may read none. */
  async check(caller: Caller, body: InteractionCheckRequest): Promise<InteractionCheck> {
    const sent = body.medications ?? [];
    refuse(emptyEntries(sent));
    const patientId = body.patient_id ?? null;
    if (sent.length === 0 && patientId === null) throw invalidAt('/medications', 'missing_input');
    const now = new Date();
    const recorded = patientId === null ? undefined : await this.#read(caller, patientId, now);
    const wantsRecorded = body.options?.includeRecordedMedications ?? true;
    const list = this.#join(sent.map(toInput), wantsRecorded ? (recorded?.medications ?? []) : []);
    const knowsPatient = recorded !== undefined || body.patientData !== undefined;
    const patient = knowsPatient ? joinFacts(recorded?.context, body.patientData) : undefined;
    const check = checkInteractions(this.#knowledge, {
      medications: list.entries.map(({ input }) => input),
      ...(patient ? { patient } : {}),
      includeFoodAndAlcohol: body.options?.includeFoodAndAlcohol ?? true,
    });
    const overrides = patientId === null ? [] : await this.#overrides.ofPatient(caller.accountId, patientId);
    const parts: CheckParts = {
      knowledge: this.#knowledge,
      check,
      origins: list.entries,
      leftOut: list.leftOut,
      patient,
      patientId,
      conditionsNotJudged: recorded?.conditionsNotJudged ?? [],
      egfrMeasuredAt: body.patientData?.egfr === undefined ? (recorded?.egfrMeasuredAt ?? null) : null,
      overrides,
      minimumSeverity: body.options?.minimumSeverity ?? 'none_known',
      now,
    };
    return toCheck(parts);
  }

  /** @throws Fault `validation_failed` */
  resolve(medications: readonly MedicationInputBody[]): MedicationResolution {
    refuse(emptyEntries(medications));
    return toResolution(
      this.#knowledge,
      medications.map((each) => resolveMedication(this.#knowledge, toInput(each)).medication),
    );
  }

  /** @throws Fault `validation_failed`, `not_found`, `scope_missing` */
  async override(caller: Caller, body: OverrideWrite): Promise<OverrideRow> {
    const { medications, reason_code: reasonCode } = body;
    const reasonText = body.reason_text?.trim() || null;
    const inputs = medications.map(toInput);
    const resolved = inputs.map((input) => resolveMedication(this.#knowledge, input));
    const faults = [...emptyEntries(medications)];
    for (const [index, { medication }] of resolved.entries())
      if (faults.length === 0 && medication.status !== 'resolved')
        faults.push(faultAt(`/medications/${index}`, 'not_allowed_value'));
    if (reasonCode === 'other' && reasonText === null) faults.push(faultAt('/reason_text', 'required'));
    refuse(faults);
    const patientId = body.patient_id ?? null;
    if (patientId !== null) requirePatientScope(caller);
    const check = checkInteractions(this.#knowledge, { medications: inputs, includeFoodAndAlcohol: false });
    const sets = resolved.map(({ substances }) => substances);
    const row: OverrideRow = {
      id: newId('iov'),
      accountId: caller.accountId,
      patientId,
      pairKey: pairKey(sets[0] ?? [], sets[1] ?? []),
      medications: medications.map(({ name, code }, index) => ({
        name: name ?? null,
        code: code ?? null,
        substance_ids: (sets[index] ?? []).map(({ id }) => id),
      })),
      reasonCode,
      reasonText,
      severity: check.pairs[0]?.severity ?? 'unknown',
      ruleIds: check.pairs[0]?.rules ?? [],
      knowledgeVersion: this.#knowledge.version,
      keyId: caller.keyId,
      createdAt: new Date(),
    };
    if (!(await this.#overrides.insert(row))) throw new Fault('not_found');
    return row;
  }

  /** @throws Fault `not_found` */
  async getOverride(accountId: string, id: string): Promise<OverrideRow> {
    const row = await this.#overrides.find(accountId, id);
    if (!row) throw new Fault('not_found');
    return row;
  }

  async listOverrides(
    accountId: string,
    patientId: string | undefined,
    request: ListRequest,
  ): Promise<Found<OverrideRow>> {
    return this.#overrides.list(accountId, patientId, request);
  }

  /**
   * What the records say about a patient.
   * @throws Fault `not_found`, `scope_missing` for who may read no patients.
   */
  async factsOf(caller: Caller, patientId: string): Promise<RecordedFacts> {
    return this.#read(caller, patientId, new Date());
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
    return createTreatmentJudge(this.#knowledge, facts.context, [...taken.values()]);
  }

  /** The medicines that a text names. */
  mentions(text: string): readonly MedicationMention[] {
    return findMedicationMentions(this.#knowledge, text);
  }

  async #read(caller: Caller, patientId: string, now: Date): Promise<RecordedFacts> {
    requirePatientScope(caller);
    const patient = await this.#facts.patient(caller.accountId, patientId);
    if (!patient) throw new Fault('not_found');
    return readFacts(this.#knowledge, patient, await this.#facts.current(caller.accountId, patientId), now);
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

/** Facts about a patient are patient data, whatever they are asked for. */
function requirePatientScope({ scopes }: Caller): void {
  if (!scopes.includes('patients:read') && !scopes.includes('admin')) throw new Fault('scope_missing');
}

function emptyEntries(medications: readonly MedicationInputBody[]): ErrorDetail[] {
  return medications.flatMap(({ name, code }, index) =>
    name?.trim() || code ? [] : [faultAt(`/medications/${index}`, 'missing_input')],
  );
}

function toInput({ name, code, route }: MedicationInputBody): MedicationInput {
  return { ...(name ? { name } : {}), ...(code ? { code } : {}), ...(route ? { route } : {}) };
}

function refuse(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0) throw invalid(faults);
}
