import { describe, expect, test } from '@jest/globals';
import { readDosage } from '../../../core/medications/dosage.ts';
import { checkInteractions } from '../../../core/medications/interactions.ts';
import { type MedicationInput, resolveMedication } from '../../../core/medications/resolve.ts';
import { knowledge } from './knowledge.ts';

const pair = (a: MedicationInput, b: MedicationInput, today = '2023-11-01') => {
  const [found] = checkInteractions(knowledge, { medications: [a, b], includeFoodAndAlcohol: false, today }).pairs;
  if (!found) throw new Error('two medications make one pair');
  return found;
};

describe('a prescription line', () => {
  test.each([
    ['simvastatin 80 mg nocte', 'simvastatin', 80, 1],
    ['aspirin 75mg od', 'acetylsalicylic-acid', 75, 1],
    ['amoxicillin 250mg/5ml suspension 5 ml tds', 'amoxicillin', 750, 3],
    ['methotrexate 10 mg weekly', 'methotrexate', 1.42857, 0.142857],
    ['furosemid 40mg 1-0-1', 'furosemide', 80, 2],
    ['paracetamolo 1 g 3 volte al giorno', 'paracetamol', 3000, 3],
    ['ibuprofen 400 mg every 8 hours prn', 'ibuprofen', 1200, 3],
    ['levothyroxine 50 micrograms mane', 'levothyroxine', 0.05, 1],
    ['atenolol tablets x28', 'atenolol', null, null],
    ['morphine sulfate 10 mg/5 ml', 'morphine', null, null],
  ])('%s is read', (name, id, dailyMg, perDay) => {
    const { medication } = resolveMedication(knowledge, { name });
    expect(medication.substances.map((s) => s.id)).toEqual([id]);
    expect(medication.dosage).toMatchObject({ dailyMg, perDay });
  });

  test('says when it is taken only as needed, and no dose of a combination is told', () => {
    expect(readDosage('5 mg prn').asNeeded).toBe(true);
    expect(readDosage('5 mg bd').asNeeded).toBe(false);
    expect(resolveMedication(knowledge, { name: 'co-codamol 30/500' }).medication.dosage.doseMg).toBeNull();
  });

  test('of any length and shape costs no more than its beginning', () => {
    for (const text of ['1 mg/'.repeat(2000), '9'.repeat(5000), 'twice '.repeat(2000), '1-0-1 '.repeat(1000)])
      expect(readDosage(text).rest.length).toBeLessThanOrEqual(800);
  });
});

describe('the dose decides', () => {
  test.each([
    ['simvastatin 10 mg', 'amlodipine', 'minor'],
    ['simvastatin', 'amlodipine', 'moderate'],
    ['simvastatin 80 mg', 'amlodipine', 'major'],
    ['aspirin 75 mg', 'methotrexate', 'minor'],
    ['aspirin 1 g', 'methotrexate', 'major'],
    ['aspirin 75 mg', 'probenecid', 'minor'],
    ['citalopram 40 mg', 'omeprazole', 'major'],
    ['citalopram 20 mg', 'omeprazole', 'moderate'],
    ['prednisolone 5 mg', 'MMR vaccine', 'minor'],
    ['prednisolone 40 mg', 'MMR vaccine', 'contraindicated'],
  ])('%s with %s is %s', (a, b, severity) => {
    expect(pair({ name: a }, { name: b }).severity).toBe(severity);
  });

  test('a dose told apart from the name comes before it', () => {
    expect(pair({ name: 'simvastatin', dosage: '80 mg at night' }, { name: 'amlodipine' }).severity).toBe('major');
    expect(pair({ name: 'simvastatin 80 mg', dosage: '10 mg' }, { name: 'amlodipine' }).severity).toBe('minor');
  });
});

describe('route and time', () => {
  test('what is not absorbed from the gut does not act beyond it', () => {
    expect(pair({ name: 'vancomycin', route: 'oral' }, { name: 'gentamicin' }).severity).toBe('minor');
    expect(pair({ name: 'vancomycin', route: 'iv' }, { name: 'gentamicin' }).severity).toBe('major');
  });

  test('an inhibitor of monoamine oxidase acts for two weeks after its end, and fluoxetine for five', () => {
    const phenelzine = { name: 'phenelzine', stoppedOn: '2023-10-01' };
    expect(pair(phenelzine, { name: 'sertraline', startedOn: '2023-10-10' }).severity).toBe('contraindicated');
    expect(pair(phenelzine, { name: 'sertraline', startedOn: '2023-10-10' }).management).toContain('2023-10-15');
    expect(pair(phenelzine, { name: 'sertraline', startedOn: '2023-10-16' }).severity).toBe('none_known');
    const fluoxetine = { name: 'fluoxetine', stoppedOn: '2023-10-01' };
    expect(pair(fluoxetine, { name: 'phenelzine', startedOn: '2023-10-20' }).severity).toBe('contraindicated');
    expect(pair(fluoxetine, { name: 'phenelzine', startedOn: '2023-11-10' }).severity).toBe('none_known');
  });

  test('what was left off and whose half-life is not known is judged as if taken', () => {
    const found = pair({ name: 'chlorotrianisene', stoppedOn: '2001-01-01' }, { name: 'tranexamic acid' });
    expect(found.severity).not.toBe('none_known');
    expect(found.management).toContain('not known');
  });
});
