import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { type CallOptions, type Reply, startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase } from '../../support/database.ts';

const ATC = 'http://www.whocc.no/atc';
const ICD10 = 'http://hl7.org/fhir/sid/icd-10';

/** A real core on a database of its own, and what tests of diagnostics ask of it. */
export interface DiagnosticsWorld {
  readonly core: TestCore;
  post<T>(path: string, body: unknown, options?: CallOptions): Promise<Reply<T>>;
  /** A woman of 1950 with these records. */
  makePatient(records?: readonly JsonObject[], more?: JsonObject): Promise<string>;
  stop(): Promise<void>;
}

export async function startDiagnosticsWorld(): Promise<DiagnosticsWorld> {
  const database = await freshDatabase();
  const core = await startCore(database.url);
  return {
    core,
    post: (path, body, options = {}) => core.call('POST', path, { body, ...options }),
    makePatient: async (records = [], more = {}) => {
      const { data } = await core.call<{ id: string }>('POST', '/patients', {
        body: { name: 'Amara Okafor', dob: '1950-06-15', sex: 'female', ...more },
      });
      for (const body of records) {
        const { status, text } = await core.call('POST', `/patients/${data.id}/records`, { body });
        if (status !== 201) throw new Error(text);
      }
      return data.id;
    },
    stop: async () => {
      await core.stop();
      await database.close();
    },
  };
}

export const medication = (code: string, display: string): JsonObject => ({
  type: 'medication',
  status: 'active',
  code: { system: ATC, code, display },
  route: 'oral',
});
export const condition = (code: string, display: string): JsonObject => ({
  type: 'condition',
  status: 'active',
  code: { system: ICD10, code, display },
});
export const allergy = (substance: string): JsonObject => ({
  type: 'allergy',
  status: 'active',
  code: { system: 'urn:local:allergies', code: 'A1', display: substance },
  substance,
});
export const egfr = (value: string): JsonObject => ({
  type: 'observation',
  status: 'final',
  code: { system: 'http://loinc.org', code: '62238-1', display: 'eGFR' },
  effective_at: '2023-10-01T00:00:00Z',
  value,
  unit: 'mL/min/{1.73_m2}',
});

export const infarction = {
  age: 68,
  sex: 'male',
  symptoms: ['crushing chest pain', 'sweating', 'no fever', 'blorptitude'],
  vitalSigns: { bloodPressure: { systolic: 88, diastolic: 55 }, heartRate: 118, temperature: 36.6 },
};
