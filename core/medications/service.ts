import type { Database } from '@perennial/prisma/client.ts';
import type { BodyAt } from '@perennial/schemas/operation-types.ts';
import { Fault, invalid, invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { type AccountId, newId, type OverrideId, type PatientId } from '@perennial/schemas/platform/ids.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type {
  InteractionCheck,
  InteractionCheckRequest,
  MedicationInput as MedicationInputBody,
  MedicationResolution,
} from '@perennial/schemas/resources/medication.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import type { Compute } from '../compute/compute.ts';
import type { JsonText } from '../platform/json-text.ts';
import type { ListRequest } from '../platform/ordering.ts';
import type { Found } from '../platform/paging.ts';
import { refuse } from '../platform/refusals.ts';
import { FactsStore } from './facts-store.ts';
import type { RecordedRows } from './mind.ts';
import { routeOf } from './names.ts';
import { type OverrideRow, OverrideStore } from './override-store.ts';

/** What a caller writes to record an override, as validated: `InteractionOverride.create`. */
export type OverrideWrite = BodyAt<'InteractionOverride.create'>;

/** Drug interaction checking, by the rules of the contract. What needs the knowledge is worked out by the mind. */
export class MedicationService {
  readonly #facts: FactsStore;
  readonly #overrides: OverrideStore;
  readonly #compute: Compute;

  constructor(database: Database, compute: Compute) {
    this.#facts = new FactsStore(database);
    this.#overrides = new OverrideStore(database);
    this.#compute = compute;
  }

  /** @throws Fault `validation_failed`, `not_found`, `scope_missing` when a patient is named by who may read none. */
  async check(caller: Caller, body: InteractionCheckRequest): Promise<JsonText<InteractionCheck>> {
    const sent = body.medications ?? [];
    refuse([...emptyEntries(sent), ...unreadable(sent)]);
    const patientId = body.patient_id ?? null;
    if (sent.length === 0 && patientId === null) throw invalidAt('/medications', 'missing_input');
    const now = new Date();
    const recorded = patientId === null ? undefined : await this.#read(caller, patientId, now);
    const overrides = patientId === null ? [] : await this.#overrides.ofPatient(caller.accountId, patientId);
    return this.#compute.run('medications.check', { body, recorded, overrides, now });
  }

  /** @throws Fault `validation_failed` */
  async resolve(medications: readonly MedicationInputBody[]): Promise<JsonText<MedicationResolution>> {
    refuse([...emptyEntries(medications), ...unreadable(medications)]);
    return this.#compute.run('medications.resolve', { medications });
  }

  /** @throws Fault `validation_failed`, `not_found`, `scope_missing` */
  async override(caller: Caller, body: OverrideWrite): Promise<OverrideRow> {
    const { reason_code: reasonCode } = body;
    const medications = body.medications ?? [];
    const reasonText = body.reason_text?.trim() || null;
    const unreasoned = reasonCode === 'other' && reasonText === null ? [faultAt('/reason_text', 'required')] : [];
    const empty = emptyEntries(medications);
    if (empty.length > 0) throw invalid([...empty, ...unreasoned]);
    const about = await this.#compute.run('medications.overridden', { medications, faults: unreasoned });
    const patientId = body.patient_id ?? null;
    if (patientId !== null) requirePatientScope(caller);
    const row: OverrideRow = {
      id: newId('iov'),
      accountId: caller.accountId,
      patientId,
      ...about,
      reasonCode,
      reasonText,
      keyId: caller.keyId,
      createdAt: new Date(),
    };
    if (!(await this.#overrides.insert(row))) throw new Fault('not_found');
    return row;
  }

  /** @throws Fault `not_found` */
  async getOverride(accountId: AccountId, id: OverrideId): Promise<OverrideRow> {
    const row = await this.#overrides.find(accountId, id);
    if (!row) throw new Fault('not_found');
    return row;
  }

  async listOverrides(
    accountId: AccountId,
    patientId: PatientId | undefined,
    request: ListRequest,
  ): Promise<Found<OverrideRow>> {
    return this.#overrides.list(accountId, patientId, request);
  }

  /**
   * What the records say about a patient, to be read by the mind.
   * @throws Fault `not_found`, `scope_missing` for who may read no patients.
   */
  async recordedOf(caller: Caller, patientId: PatientId): Promise<RecordedRows> {
    return this.#read(caller, patientId, new Date());
  }

  async #read(caller: Caller, patientId: PatientId, now: Date): Promise<RecordedRows> {
    requirePatientScope(caller);
    const patient = await this.#facts.patient(caller.accountId, patientId);
    if (!patient) throw new Fault('not_found');
    return { patient, rows: await this.#facts.current(caller.accountId, patientId), now };
  }
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

/** A route that names none, or a last dose before the first, would be read as nothing: it is refused. */
function unreadable(medications: readonly MedicationInputBody[]): ErrorDetail[] {
  return medications.flatMap(({ route, started_on, stopped_on }, index) => [
    ...(route && routeOf(route) === null ? [faultAt(`/medications/${index}/route`, 'not_allowed_value')] : []),
    ...(started_on && stopped_on && stopped_on < started_on
      ? [faultAt(`/medications/${index}/stopped_on`, 'not_allowed_value')]
      : []),
  ]);
}
