import { describe, expect, test } from '@jest/globals';
import { editDistance } from '@perennial/core/platform/edit-distance.ts';
import { type MedicationInput, resolveMedication } from '../../../core/medications/resolve.ts';
import { knowledge } from './knowledge.ts';

const resolve = (input: MedicationInput | string) =>
  resolveMedication(knowledge, typeof input === 'string' ? { name: input } : input).medication;
const idsOf = (input: MedicationInput | string): string[] => resolve(input).substances.map((s) => s.id);

describe('names', () => {
  test.each([
    ['Ibuprofen', ['ibuprofen']],
    ['acetaminophen', ['paracetamol']],
    ['albuterol', ['salbutamol']],
    ['Adrenaline', ['epinephrine']],
    ['glyburide', ['glibenclamide']],
    ['Coumadin', ['warfarin']],
    ['Marcumar', ['phenprocoumon']],
    ['Doliprane', ['paracetamol']],
    ['metoprolol succinate', ['metoprolol']],
    ['Sertraline HCl', ['sertraline']],
    ['amlodipine besylate 5 mg tablet', ['amlodipine']],
    ['metformin 500mg XR', ['metformin']],
    ['Toprol-XL 50 mg', ['metoprolol']],
    ['St. John’s Wort', ['st-johns-wort']],
    ['potassium chloride', ['potassium-chloride']],
    ['insulin', ['insulin-human']],
    ['Vitamin B12', ['cyanocobalamin']],
  ])('%s means %j', (name, ids) => {
    expect(resolve(name).status).toBe('resolved');
    expect(idsOf(name)).toEqual(ids);
  });

  test('codes of ATC and RxNorm resolve by short name and by URI', () => {
    expect(idsOf({ code: { system: 'ATC', code: 'B01AA03' } })).toEqual(['warfarin']);
    expect(idsOf({ code: { system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '29046' } })).toEqual([
      'lisinopril',
    ]);
    expect(idsOf({ code: { system: 'http://www.whocc.no/atc', code: 'J01CR02' } })).toEqual([
      'amoxicillin',
      'clavulanic-acid',
    ]);
    expect(resolve({ code: { system: 'SNOMED', code: '1' } }).status).toBe('unresolved');
  });

  test('a code and a name that contradict each other are not believed', () => {
    const contradiction = resolve({ name: 'metformin', code: { system: 'ATC', code: 'B01AA03' } });
    expect(contradiction).toMatchObject({ status: 'ambiguous', substances: [] });
    expect(contradiction.suggestions.map((s) => s.id)).toEqual(['warfarin', 'metformin']);
  });

  test.each([
    ['Bactrim DS', ['sulfamethoxazole', 'trimethoprim']],
    ['Augmentin 875 mg', ['amoxicillin', 'clavulanic-acid']],
    ['lisinopril/hydrochlorothiazide', ['lisinopril', 'hydrochlorothiazide']],
    ['hydrocodone-acetaminophen', ['hydrocodone', 'paracetamol']],
    ['losartan potassium + hydrochlorothiazide 50/12.5 mg', ['losartan', 'hydrochlorothiazide']],
    ['nirmatrelvir and ritonavir', ['nirmatrelvir', 'ritonavir']],
    ['aspirin with omeprazole', ['acetylsalicylic-acid', 'omeprazole']],
  ])('the combination %s splits into %j', (name, ids) => {
    expect(resolve(name).status).toBe('resolved');
    expect([...idsOf(name)].sort()).toEqual([...ids].sort());
  });

  test('a combination with an unknown part stays unresolved and keeps the known part', () => {
    const half = resolve('warfarin / frobnazole');
    expect(half.status).toBe('unresolved');
    expect(half.substances.map((s) => s.id)).toEqual(['warfarin']);
  });
});

describe('misspellings', () => {
  test.each([
    ['warfarrin', 'warfarin'],
    ['metfromin', 'metformin'],
    ['atorvastatine', 'atorvastatin'],
    ['amoxicilin', 'amoxicillin'],
    ['levothyroxin', 'levothyroxine'],
    ['clarithromicin', 'clarithromycin'],
    ['simvastain', 'simvastatin'],
  ])('%s is taken for %s, and the suggestion is told', (name, id) => {
    const medication = resolve(name);
    expect(medication).toMatchObject({ status: 'resolved', match: 'spelling' });
    expect(medication.substances.map((s) => s.id)).toEqual([id]);
    expect(medication.suggestions[0]?.id).toBe(id);
  });

  test('two close candidates are never silently chosen between', () => {
    for (const name of ['Celebrx', 'hydroxizine hydralazine', 'predniso', 'clonidin e', 'chlorpromazide']) {
      const medication = resolve(name);
      if (medication.status === 'resolved') {
        const [first, second] = medication.suggestions;
        expect((second?.distance ?? 99) - (first?.distance ?? 0)).toBeGreaterThanOrEqual(2);
      }
    }
    expect(resolve('Celebrx')).toMatchObject({ status: 'ambiguous', substances: [] });
    expect(resolve('Celebrx').suggestions.map((s) => s.matched)).toEqual(
      expect.arrayContaining(['celebrex', 'cerebyx']),
    );
  });

  test('a real drug that is not in the data is not taken for its neighbour', () => {
    for (const name of [
      'adinazolam',
      'bretazenil',
      'butofilolol',
      'bucindolol',
      'benfluorex',
      'bufuralol',
      'barnetil',
      'broxaterol',
    ])
      expect({ name, status: resolve(name).status }).not.toEqual({ name, status: 'resolved' });
  });

  test('the name of a class is no drug: it stays ambiguous and its members are suggested', () => {
    for (const name of ['SSRIs', 'ssri', 'statins', 'Beta-blockers'])
      expect(resolve(name)).toMatchObject({ status: 'ambiguous', substances: [] });
    expect(resolve('statins').suggestions.map((s) => s.id)).toContain('simvastatin');
  });

  test('a short name is never guessed', () => {
    expect(resolve('ASB').status).not.toBe('resolved');
  });

  test('nonsense, empty and endless text stay unresolved', () => {
    for (const name of ['frobnazole', '', '   ', '12345', '###', 'x'.repeat(10_000)])
      expect(resolve(name).status).toBe('unresolved');
    expect(resolve({}).status).toBe('unresolved');
  });

  test('distance counts a swap of neighbours as one slip and gives up beyond the limit', () => {
    expect(editDistance('metfromin', 'metformin', 3)).toBe(1);
    expect(editDistance('warfarin', 'warfarin', 3)).toBe(0);
    expect(editDistance('abc', 'xyz', 1)).toBe(2);
  });
});

describe('routes', () => {
  test('the form in the name gives the route away unless one is told', () => {
    expect(resolve('fluconazole 150 mg capsule').route).toBe('oral');
    expect(resolve('hydrocortisone cream').route).toBe('topical');
    expect(resolve({ name: 'timolol eye drops', route: 'oral' }).route).toBe('oral');
    expect(resolve('fluconazole').route).toBeNull();
  });
});
