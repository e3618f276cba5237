import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import type { Analysis } from '@perennial/schemas/resources/analysis.ts';
import type { DiagnosticRecord, Differential } from '@perennial/schemas/resources/diagnostic.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import type { Reply } from '../../support/core.ts';
import { condition, type DiagnosticsWorld, infarction, startDiagnosticsWorld } from './world.ts';

let world: DiagnosticsWorld;
beforeAll(async () => {
  world = await startDiagnosticsWorld();
});
afterAll(() => world.stop());

async function keep(patient_id: string, more: object = {}): Promise<Reply<DiagnosticRecord>> {
  const reply = await world.post<DiagnosticRecord>('/diagnostics', { patient_id, patientData: infarction, ...more });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply;
}

const read = (id: string, options = {}): Promise<Reply<DiagnosticRecord>> =>
  world.core.call<DiagnosticRecord>('GET', `/diagnostics/${id}`, options);
const list = async (query: string): Promise<Page<DiagnosticRecord>> =>
  (await world.core.call<Page<DiagnosticRecord>>('GET', `/diagnostics?${query}`)).data;
const give = (id: string, body: unknown, options = {}): Promise<Reply<DiagnosticRecord>> =>
  world.post<DiagnosticRecord>(`/diagnostics/${id}/feedback`, body, options);

describe('a result is kept', () => {
  test('as it was answered, with what was analysed, in the shape of the contract', async () => {
    const patient = await world.makePatient();
    const { data, headers } = await keep(patient, { note: 'first visit' });
    expect(createValidator(head.resources).body('DiagnosticRecord', data)).toEqual([]);
    expect(headers.location).toBe(`/diagnostics/${data.id}`);
    expect(data).toMatchObject({
      patient_id: patient,
      kind: 'analysis',
      status: 'completed',
      patientData: infarction,
      differential: null,
      feedback: null,
      note: 'first visit',
      created_by: 'key_test',
    });
    expect(data.diagnostic_result?.id).toBe(data.id);
    const again = await read(data.id);
    expect([again.status, again.headers.etag]).toEqual([200, headers.etag]);
    expect(again.data).toEqual(data);
  });

  test('of an analysis and of a differential, when that is asked for', async () => {
    const patient_id = await world.makePatient();
    const options = { save: true };
    const analysis = await world.post<Analysis>('/diagnostics/analyze', {
      patient_id,
      patientData: infarction,
      options,
    });
    const candidates = ['pneumonia', 'myocardial infarction'];
    const body = { patient_id, patientData: infarction, candidates, options };
    const compared = await world.post<Differential>('/diagnostics/differential', body);
    for (const { status, headers, data } of [analysis, compared]) {
      expect([status, headers.location]).toEqual([200, `/diagnostics/${data.diagnostic_result.id}`]);
      expect((await read(data.diagnostic_result.id)).data.diagnostic_result).toEqual(data.diagnostic_result);
    }
    const kept = (await read(compared.data.diagnostic_result.id)).data;
    expect(kept).toMatchObject({ kind: 'differential', differential: compared.data.differential });
  });

  test('not when it is not asked for, nor without a patient', async () => {
    const patient_id = await world.makePatient();
    const { data, headers } = await world.post<Analysis>('/diagnostics/analyze', {
      patient_id,
      patientData: infarction,
    });
    expect(headers.location).toBeUndefined();
    expect((await read(data.diagnostic_result.id)).status).toBe(404);
    const options = { save: true };
    const homeless = await world.post('/diagnostics/analyze', { patientData: infarction, options });
    expect([homeless.status, homeless.error.details.map(({ pointer, code }) => [pointer, code])]).toEqual([
      422,
      [['/patient_id', 'required']],
    ]);
  });

  test('with an event, in the same transaction', async () => {
    const { data } = await keep(await world.makePatient());
    const events = await world.core.database.$queryRaw<{ kind: string; patient_id: string; document: unknown }[]>`
      SELECT kind, patient_id, document FROM core.events WHERE object_id = ${data.id}`;
    expect(events).toEqual([{ kind: 'diagnostic.completed', patient_id: data.patient_id, document: data }]);
  });

  test('once for a request that is repeated with its key', async () => {
    const patient_id = await world.makePatient();
    const options = { headers: { 'idempotency-key': 'diagnostic-1' } };
    const body = { patient_id, patientData: infarction };
    const first = await world.post<DiagnosticRecord>('/diagnostics', body, options);
    const second = await world.post<DiagnosticRecord>('/diagnostics', body, options);
    expect(second.data).toEqual(first.data);
    expect((await list(`patient_id=${patient_id}`)).items).toHaveLength(1);
  });

  test('with the patient’s record looked at, though only what was sent is kept as sent', async () => {
    const patient = await world.makePatient([condition('E11.9', 'Type 2 diabetes mellitus')]);
    const { data } = await keep(patient, { patientData: { symptoms: ['frequent urination'] } });
    expect(data.patientData).toEqual({ symptoms: ['frequent urination'] });
    expect(data.diagnostic_result?.recognized_findings.map(({ finding_id: id }) => id)).toContain('history_diabetes');
  });
});

describe('records are listed', () => {
  test('by patient, kind, state and time, newest first, page by page', async () => {
    const patient = await world.makePatient();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await keep(patient)).data.id);
    await give(ids[1] as string, { decision: 'accepted' });
    const pages: string[] = [];
    for (let query = `patient_id=${patient}&limit=2`; ; ) {
      const page = await list(query);
      pages.push(...page.items.map(({ id }) => id));
      if (page.next_cursor === null) break;
      query = `patient_id=${patient}&limit=2&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(pages).toEqual(ids);
    const found = async (query: string): Promise<string[]> =>
      (await list(`patient_id=${patient}&${query}`)).items.map(({ id }) => id);
    expect(await found('status=accepted')).toEqual([ids[1]]);
    expect(await found('kind=differential')).toEqual([]);
    expect(await found('created_from=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await found('created_to=2999-01-01T00:00:00Z')).toEqual(ids);
    expect((await list(`patient_id=${patient}&include_total=true&limit=1`)).total).toBe(3);
    expect((await list(`patient_id=${await world.makePatient()}`)).items).toEqual([]);
  });
});

describe('feedback', () => {
  test('accepts a suggestion: the first, or the one that is named', async () => {
    const { data } = await keep(await world.makePatient());
    const [first, second] = data.diagnostic_result?.suggestions.map(({ condition: { id } }) => id) ?? [];
    const accepted = await give(data.id, { decision: 'accepted' });
    expect(accepted.data).toMatchObject({
      status: 'accepted',
      feedback: { decision: 'accepted', condition_id: first, reason: null, diagnosis: null, given_by: 'key_test' },
    });
    expect((await give(data.id, { decision: 'accepted', condition_id: second })).data.feedback?.condition_id).toBe(
      second,
    );
    const other = await give(data.id, { decision: 'accepted', condition_id: 'ingrown_toenail' });
    expect(other.error.details.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/condition_id', 'not_allowed_value'],
    ]);
  });

  test('overrides with a reason and a diagnosis of the clinician’s own', async () => {
    const { data } = await keep(await world.makePatient());
    const bare = await give(data.id, { decision: 'overridden', reason: '  ' });
    expect(bare.error.details.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/reason', 'required'],
      ['/diagnosis', 'required'],
    ]);
    const diagnosis = { name: 'Takotsubo', code: { system: 'http://hl7.org/fhir/sid/icd-10', code: 'I51.8' } };
    const overridden = await give(data.id, { decision: 'overridden', reason: 'clean coronaries', diagnosis });
    expect(overridden.data).toMatchObject({
      status: 'overridden',
      feedback: { reason: 'clean coronaries', diagnosis: { ...diagnosis, code: { ...diagnosis.code, display: null } } },
    });
    expect(overridden.data.diagnostic_result).toEqual(data.diagnostic_result);
    expect((await read(data.id)).data).toEqual(overridden.data);
  });

  test('that was given on an older state is refused', async () => {
    const { data, headers } = await keep(await world.makePatient());
    const match = { headers: { 'if-match': headers.etag as string } };
    expect((await give(data.id, { decision: 'accepted' }, match)).status).toBe(200);
    expect((await give(data.id, { decision: 'accepted' }, match)).error.code).toBe('precondition_failed');
  });
});

describe('a record', () => {
  test('takes another note and nothing else', async () => {
    const { data, headers } = await keep(await world.makePatient());
    const patch = (body: unknown, more = {}): Promise<Reply<DiagnosticRecord>> =>
      world.core.call<DiagnosticRecord>('PATCH', `/diagnostics/${data.id}`, { body, ...more });
    const noted = await patch({ note: 'seen again' }, { headers: { 'if-match': headers.etag as string } });
    expect(noted.data).toEqual({ ...data, note: 'seen again', updated_at: noted.data.updated_at });
    expect(noted.headers.etag).not.toBe(headers.etag);
    expect((await patch({ note: 'seen again' })).headers.etag).toBe(noted.headers.etag);
    const stale = await patch({ note: 'x' }, { headers: { 'if-match': headers.etag as string } });
    expect(stale.error.code).toBe('precondition_failed');
    expect((await patch({ status: 'accepted', note: null })).data).toMatchObject({ status: 'completed', note: null });
    expect((await patch({ id: 'diag_another000' })).error.details[0]).toMatchObject({
      pointer: '/id',
      code: 'immutable',
    });
  });

  test('is deleted and restored', async () => {
    const patient = await world.makePatient();
    const { data } = await keep(patient);
    expect((await world.core.call('DELETE', `/diagnostics/${data.id}`)).status).toBe(204);
    expect((await read(data.id)).status).toBe(404);
    expect((await world.core.call('DELETE', `/diagnostics/${data.id}`)).status).toBe(404);
    expect((await give(data.id, { decision: 'accepted' })).status).toBe(404);
    expect((await list(`patient_id=${patient}`)).items).toEqual([]);
    const restored = await world.core.call<DiagnosticRecord>('POST', `/diagnostics/${data.id}/restore`);
    expect(restored.data).toEqual({ ...data, updated_at: restored.data.updated_at });
    expect((await list(`patient_id=${patient}`)).items).toHaveLength(1);
  });

  test('is not there for another account, nor once its patient is deleted', async () => {
    const patient = await world.makePatient();
    const { data } = await keep(patient);
    const caller = { accountId: 'acc_other' };
    const missing = await read('diag_missing00');
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { note: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/feedback', { decision: 'accepted' }],
      ['POST', '/restore', undefined],
    ] as const) {
      const reply = await world.core.call(method, `/diagnostics/${data.id}${path}`, { body, caller });
      expect([reply.status, reply.error]).toEqual([404, missing.error]);
    }
    const others = await world.core.call<Page<DiagnosticRecord>>('GET', '/diagnostics', { caller });
    expect(others.data.items).toEqual([]);
    await world.core.call('DELETE', `/patients/${patient}`);
    expect((await read(data.id)).status).toBe(404);
    expect((await list(`patient_id=${patient}`)).items).toEqual([]);
    await world.core.call('POST', `/patients/${patient}/restore`);
    expect((await read(data.id)).data).toEqual(data);
  });
});
