import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Analysis, Contraindication, DiagnosticResult, Treatment } from '@perennial/schemas/resources/analysis.ts';
import {
  allergy,
  condition,
  type DiagnosticsWorld,
  egfr,
  infarction,
  medication,
  startDiagnosticsWorld,
} from './world.ts';

let world: DiagnosticsWorld;
beforeAll(async () => {
  world = await startDiagnosticsWorld();
});
afterAll(() => world.stop());

async function analyze(body: unknown): Promise<DiagnosticResult> {
  const { status, data, text } = await world.post<Analysis>('/diagnostics/analyze', body);
  if (status !== 200) throw new Error(text);
  return data.diagnostic_result;
}

async function refused(body: unknown): Promise<unknown> {
  const { status, error } = await world.post('/diagnostics/analyze', body);
  expect(status).toBe(422);
  return error.details.map(({ pointer, code }) => [pointer, code]);
}

/** What is looked for need not be among the first: knowledge grows, and rankings move. */
const every = { maxResults: 50 };

/** The treatments of all suggestions by id. */
function treatmentsOf(result: DiagnosticResult): Map<string, Treatment> {
  return new Map(result.suggestions.flatMap(({ treatments }) => treatments.map((each) => [each.id, each])));
}

function kinds(treatment: Treatment | undefined): Contraindication['kind'][] {
  return (treatment?.contraindications ?? []).map(({ kind }) => kind);
}

describe('vital signs', () => {
  test.each([
    ['an adult’s pulse of 320', { age: 40, vitalSigns: { heartRate: 320 } }, '/patientData/vitalSigns/heartRate'],
    [
      'an infant’s pressure of 190',
      { age: 0, vitalSigns: { bloodPressure: { systolic: 190 } } },
      '/patientData/vitalSigns/bloodPressure/systolic',
    ],
    [
      'an adult who breathes 100 times',
      { age: 40, vitalSigns: { respiratoryRate: 100 } },
      '/patientData/vitalSigns/respiratoryRate',
    ],
    [
      'a saturation of 104 percent',
      { vitalSigns: { oxygenSaturation: 104 } },
      '/patientData/vitalSigns/oxygenSaturation',
    ],
    ['a temperature in Fahrenheit', { vitalSigns: { temperature: 101.3 } }, '/patientData/vitalSigns/temperature'],
    [
      'a lower pressure above the upper',
      { vitalSigns: { bloodPressure: { systolic: 80, diastolic: 95 } } },
      '/patientData/vitalSigns/bloodPressure/diastolic',
    ],
  ])('that nobody of that age has are refused at their place: %s', async (_name, patientData, pointer) => {
    expect(await refused({ patientData: { symptoms: ['cough'], ...patientData } })).toEqual([[pointer, 'implausible']]);
  });

  test('that some age has are taken where the age is not known, and at that age', async () => {
    const recognized = async (patientData: object): Promise<string[]> =>
      (await analyze({ patientData })).recognized_findings.map(({ finding_id: id }) => id);
    expect(await recognized({ age: 0, vitalSigns: { heartRate: 320, respiratoryRate: 100 } })).toContain('tachycardia');
    expect(await recognized({ vitalSigns: { heartRate: 320 } })).toContain('tachycardia');
    expect(await recognized({ vitalSigns: { oxygenSaturation: 84.5 } })).toContain('hypoxia');
    expect(await recognized({ age: 1, vitalSigns: { heartRate: 135 } })).not.toContain('tachycardia');
    expect(await recognized({ age: 40, vitalSigns: { heartRate: 135 } })).toContain('tachycardia');
  });

  test('are judged by the age on record where none is sent', async () => {
    const patient_id = await world.makePatient();
    expect(await refused({ patient_id, patientData: { vitalSigns: { heartRate: 320 } } })).toEqual([
      ['/patientData/vitalSigns/heartRate', 'implausible'],
    ]);
  });
});

describe('the patient’s record', () => {
  test('gives age, sex and past illness, and what is sent comes before it', async () => {
    const patient_id = await world.makePatient([condition('E11.9', 'Type 2 diabetes mellitus')]);
    const patientData = { symptoms: ['frequent urination', 'blorptitude'] };
    const recorded = await analyze({ patient_id, patientData });
    const known = recorded.recognized_findings.find(({ finding_id: id }) => id === 'history_diabetes');
    expect(known).toMatchObject({ present: true, source: 'history', text: 'Type 2 diabetes mellitus' });
    expect(recorded.unrecognized).toEqual(['blorptitude']);
    const plain = await analyze({ patientData });
    expect(plain.recognized_findings.map(({ finding_id: id }) => id)).not.toContain('history_diabetes');
    const demographics = (result: DiagnosticResult): boolean =>
      result.suggestions.some((each) =>
        each.confidence?.uncertainty.some(({ source }) => source === 'missing_demographics'),
      );
    expect([demographics(plain), demographics(recorded)]).toEqual([true, false]);
    const man = await analyze({ patient_id, patientData: { ...patientData, age: 20, sex: 'male' } });
    const sent = await analyze({
      patientData: { ...patientData, age: 20, sex: 'male', history: 'Type 2 diabetes mellitus' },
    });
    const ranking = ({ suggestions }: DiagnosticResult): unknown =>
      suggestions.map((each) => [each.condition.id, each.confidence?.estimate]);
    expect(ranking(man)).toEqual(ranking(sent));
  });

  test('is what treatments are checked against: allergies, kidneys, illness and medicines', async () => {
    const patient_id = await world.makePatient([allergy('penicillin'), egfr('18'), medication('B01AA03', 'Warfarin')]);
    const patientData = { symptoms: ['painful swollen big toe since yesterday', 'red hot joint'] };
    const checked = treatmentsOf(await analyze({ patient_id, patientData, options: every }));
    const nsaid = checked.get('nsaid');
    expect(nsaid?.record_checked).toBe(true);
    expect(kinds(nsaid)).toEqual(expect.arrayContaining(['interaction', 'kidney']));
    const withWarfarin = nsaid?.contraindications.find(({ kind }) => kind === 'interaction');
    expect(withWarfarin).toMatchObject({ severity: 'major', text: expect.stringContaining('warfarin') });
    expect(withWarfarin?.substances.length).toBeGreaterThan(0);
    const infected = treatmentsOf(
      await analyze({
        patient_id,
        patientData: { symptoms: ['ear pain', 'fever', 'sore throat'] },
        options: every,
      }),
    );
    const allergic = [...infected.values()].filter((each) => kinds(each).includes('allergy'));
    expect(allergic.length).toBeGreaterThan(0);
    // A penicillin is never given; a cephalosporin that can react across is at least warned of.
    const severities = allergic.map(({ contraindications }) => contraindications[0]?.severity);
    expect(severities).toContain('contraindicated');
    for (const severity of severities) expect(['contraindicated', 'major']).toContain(severity);
  });

  test('is not claimed to have been looked at where it was not', async () => {
    const treatments = [...treatmentsOf(await analyze({ patientData: infarction })).values()];
    expect(treatments.length).toBeGreaterThan(0);
    expect(treatments.some(({ record_checked: checked }) => checked)).toBe(false);
  });

  test('what is sent in words counts too: a pregnancy, and medicines that are taken', async () => {
    const taken = { symptoms: ['painful swollen big toe', 'red hot joint'], medications: ['warfarin 5 mg'], age: 70 };
    const painkiller = treatmentsOf(await analyze({ patientData: taken, options: every })).get('nsaid');
    expect(kinds(painkiller)).toContain('interaction');
    expect(painkiller?.record_checked).toBe(false);
    const pregnant = { symptoms: ['back pain after lifting', '30 weeks pregnant'], age: 30, sex: 'female' };
    const nsaid = treatmentsOf(await analyze({ patientData: pregnant, options: every })).get('nsaid');
    expect(kinds(nsaid)).toEqual(expect.arrayContaining(['pregnancy']));
  });

  test('of another account, and one that is missing, are the same answer', async () => {
    const patient_id = await world.makePatient();
    const body = { patient_id, patientData: infarction };
    const other = await world.post('/diagnostics/analyze', body, { caller: { accountId: 'acc_other' } });
    const missing = await world.post('/diagnostics/analyze', { ...body, patient_id: 'pat_missing00' });
    expect([other.status, missing.status]).toEqual([404, 404]);
    expect(other.error).toEqual(missing.error);
  });

  test('needs the scope for patients', async () => {
    const patient_id = await world.makePatient();
    const caller = { scopes: ['diagnostics:write'] };
    const denied = await world.post('/diagnostics/analyze', { patient_id, patientData: infarction }, { caller });
    expect([denied.status, denied.error.code]).toEqual([403, 'scope_missing']);
    expect((await world.post('/diagnostics/analyze', { patientData: infarction }, { caller })).status).toBe(200);
  });
});
