import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { careOf, isCitable } from '../../../core/knowledge/care.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';
import { loadMedications } from '../../../core/medications/load.ts';
import { createTreatmentJudge } from '../../../core/medications/treatments.ts';

const knowledge = loadKnowledge();
const medications = loadMedications();
const treatments = new Map(knowledge.treatments.map((each) => [each.id, each]));

/** What a treatment may be given as: its classes, its substances and the classes of those. */
function given(treatment: string): Set<string> {
  const { classes, substances } = treatments.get(treatment)?.uses ?? { classes: [], substances: [] };
  const inherited = substances.flatMap((id) => medications.byId.get(id)?.classes ?? []);
  // The class of heparins holds fondaparinux too, which may be given where heparin may not.
  return new Set([...classes, ...substances, ...inherited, ...substances.map((id) => `substance:${id}`)]);
}

/** Never given for the condition: classes and substances; reviewed one by one. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  hit: ['substance:heparin', 'enoxaparin', 'dalteparin', 'tinzaparin', 'nadroparin', 'vitamin-k-antagonist'],
  clostridioides_difficile: ['cephalosporin', 'fluoroquinolone', 'lincosamide', 'penicillin', 'opioid', 'loperamide'],
  anticholinergic_toxicity: ['atropine', 'antispasmodic', 'tca', 'sedating-antihistamine', 'antipsychotic'],
  multiple_sclerosis: ['tnf-inhibitor'],
  absence_epilepsy: ['carbamazepine', 'oxcarbazepine', 'phenytoin', 'gabapentinoid', 'vigabatrin', 'tiagabine'],
  hypogonadism_male: ['estrogen', 'progestogen', 'antiandrogen'],
  endometriosis: ['estrogen'],
  uterine_fibroids: ['estrogen'],
  adenomyosis: ['estrogen'],
  heart_failure: ['ccb-nondihydropyridine', 'nsaid', 'thiazolidinedione', 'antiarrhythmic-1c'],
  cardiogenic_shock: ['beta-blocker', 'ccb-nondihydropyridine', 'nitrate'],
  ventricular_tachycardia: ['ccb-nondihydropyridine', 'antiarrhythmic-1c', 'digoxin'],
  aortic_dissection: ['antiplatelet', 'doac', 'heparin', 'fibrinolytic', 'hydralazine'],
  pheochromocytoma: ['beta-blocker', 'tamsulosin'],
  stimulant_intoxication: ['beta-blocker'],
  vasospastic_angina: ['beta-blocker', 'triptan'],
  bradyarrhythmia: ['beta-blocker', 'ccb-nondihydropyridine', 'digoxin'],
  asthma: ['beta-blocker', 'nsaid'],
  long_qt: ['macrolide', 'fluoroquinolone', 'antiarrhythmic-3', 'antipsychotic'],
  lewy_body_dementia: ['antipsychotic'],
  parkinson_disease: ['antipsychotic', 'metoclopramide'],
  myasthenia_gravis: ['aminoglycoside', 'fluoroquinolone', 'macrolide', 'beta-blocker', 'magnesium-sulfate'],
  intracerebral_hemorrhage: ['antiplatelet', 'doac', 'heparin', 'fibrinolytic', 'vitamin-k-antagonist'],
  subarachnoid_hemorrhage: ['antiplatelet', 'doac', 'heparin', 'fibrinolytic'],
  upper_gi_bleed: ['nsaid', 'antiplatelet', 'doac', 'fibrinolytic'],
  peptic_ulcer: ['nsaid'],
  acute_kidney_injury: ['nsaid', 'ace-inhibitor', 'arb', 'aminoglycoside'],
  dengue: ['nsaid', 'acetylsalicylic-acid'],
  hemophilia: ['nsaid', 'acetylsalicylic-acid', 'antiplatelet'],
  reye: ['acetylsalicylic-acid', 'salicylate'],
  antiphospholipid: ['doac', 'hormonal-contraceptive', 'estrogen'],
  cluster_headache: ['opioid'],
  infectious_mononucleosis: ['penicillin'],
  hyperkalemia_condition: ['potassium-salt', 'ace-inhibitor', 'arb', 'mra'],
  hypokalemia_condition: ['loop-diuretic', 'thiazide'],
  serotonin_syndrome: ['ssri', 'snri', 'five-ht3-antagonist', 'serotonergic-opioid'],
  bowel_obstruction: ['metoclopramide', 'prokinetic', 'stimulant-laxative'],
  toxic_megacolon: ['opioid', 'loperamide'],
  acute_glaucoma: ['antimuscarinic-bladder', 'tca', 'cyclopentolate'],
  thyroid_storm: ['acetylsalicylic-acid'],
  neonatal_sepsis: ['ceftriaxone', 'tetracycline', 'fluoroquinolone'],
  listeriosis: ['cephalosporin'],
  preeclampsia: ['ace-inhibitor', 'arb', 'nsaid'],
  gestational_hypertension: ['ace-inhibitor', 'arb'],
  hyperemesis: ['retinoid'],
  breast_cancer: ['estrogen', 'hormonal-contraceptive'],
};

/** Those whom a condition concerns: ages, sexes and pregnancy by its own figures. */
const AGES: Readonly<Record<string, readonly [age: number, share: number]>> = {
  '0': [0.5, 0.012],
  '1-4': [2, 0.048],
  '5-11': [8, 0.085],
  '12-17': [14, 0.075],
  '18-29': [25, 0.16],
  '30-44': [38, 0.2],
  '45-59': [52, 0.2],
  '60-74': [68, 0.15],
  '75+': [80, 0.07],
};
/** A band that has at least this share of the patients is one whom the condition concerns. */
const BAND_SHARE = 0.2;
/** A companion is what at least this share of the patients has. */
const COMPANION = 0.3;
const PREGNANT = ['pregnant', 'first_half_pregnancy', 'second_half_pregnancy'];
const historyCodes = JSON.parse(
  readFileSync(new URL('../../../core/knowledge/history-codes.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

type Condition = (typeof knowledge.conditions)[number];

function patientsOf(condition: Condition): { age: number; sex: string; pregnant: boolean; codes: string[] }[] {
  const { incidence, icd10, findings, risk_factors } = condition;
  const known = [...findings, ...risk_factors];
  const weights = Object.entries(AGES).map(([band, [age, share]]) => ({
    age,
    weight: share * (incidence.age[band as keyof typeof incidence.age] ?? 1),
  }));
  const all = weights.reduce((sum, { weight }) => sum + weight, 0);
  const pregnant = known.some(({ finding, p, essential }) => PREGNANT.includes(finding) && (essential || p >= 0.6));
  const companions = known.filter(({ p }) => p >= COMPANION).flatMap(({ finding }) => historyCodes[finding] ?? []);
  const sexes = (['female', 'male'] as const).filter((sex) => incidence.sex[sex] > 0.05);
  return weights
    .filter(({ weight }) => weight / all >= BAND_SHARE)
    .flatMap(({ age }) =>
      sexes.map((sex) => ({ age, sex, pregnant: pregnant && sex === 'female', codes: [...icd10, ...companions] })),
    );
}

describe('treatments do no harm', () => {
  test('none of a condition is given as what the condition forbids', () => {
    const harm = knowledge.conditions.flatMap(({ id, treatments: list }) =>
      list.flatMap((treatment) => {
        const may = given(treatment);
        return (NEVER[id] ?? []).filter((each) => may.has(each)).map((each) => `${id} ${treatment} ${each}`);
      }),
    );
    expect(harm).toEqual([]);
  });

  test('the table names conditions, classes and substances that exist', () => {
    const known = new Set(knowledge.conditions.map(({ id }) => id));
    expect(Object.keys(NEVER).filter((id) => !known.has(id))).toEqual([]);
    const names = Object.values(NEVER)
      .flat()
      .map((name) => name.replace('substance:', ''));
    expect(names.filter((id) => !medications.classes.has(id) && !medications.byId.has(id))).toEqual([]);
  });

  test('no rule of the medication knowledge speaks against one in those whom the condition concerns, unless a reason is written down', () => {
    const unreasoned = new Set<string>();
    const reasoned = new Set<string>();
    for (const condition of knowledge.conditions)
      for (const { age, sex, pregnant, codes } of patientsOf(condition)) {
        const context = { age, sex, pregnant, conditions: codes.map((code) => ({ code })) };
        const judge = createTreatmentJudge(medications, context, []);
        for (const id of condition.treatments) {
          const treatment = treatments.get(id)!;
          const care = careOf(condition, treatment);
          if (age < (care.age_min_years ?? 0) || age >= (care.age_max_years ?? Number.POSITIVE_INFINITY)) continue;
          for (const { severity, kind, substances } of (treatment.uses && judge(treatment.uses)) ?? []) {
            if (severity !== 'contraindicated' && severity !== 'major') continue;
            const said = `${condition.id} ${id} ${kind}`;
            if (care.despite?.kind === kind) reasoned.add(said);
            else unreasoned.add(`${said}: ${substances.join(', ')} at ${age}`);
          }
        }
      }
    expect([...unreasoned]).toEqual([]);
    // A reason that no rule asks for is one that was forgotten.
    const written = knowledge.conditions.flatMap(({ id, care = {} }) =>
      Object.entries(care).flatMap(([treatment, { despite }]) =>
        despite ? [`${id} ${treatment} ${despite.kind}`] : [],
      ),
    );
    expect([...reasoned].sort()).toEqual(written.sort());
    expect(written).toContain('kawasaki_disease aspirin age');
  });

  test('none is contraindicated by a finding that its condition cannot be without or nearly always has', () => {
    const harm = knowledge.conditions.flatMap(({ id, treatments: list, findings, risk_factors }) => {
      const usual = new Set(
        [...findings, ...risk_factors]
          .filter(({ p, essential }) => essential === true || p >= 0.8)
          .map((each) => each.finding),
      );
      return list.flatMap((treatment) =>
        (treatments.get(treatment)?.contraindications ?? [])
          .filter((each) => usual.has(each))
          .map((each) => `${id} ${treatment} ${each}`),
      );
    });
    expect(harm).toEqual([]);
  });

  test('of one line none is given as what another must never be given with', () => {
    const harm = knowledge.conditions.flatMap((condition) => {
      const care = condition.treatments.map((id) => ({ id, ...careOf(condition, treatments.get(id)!) }));
      return care.flatMap((one) =>
        care
          .filter(({ id, line }) => id !== one.id && line === one.line && (line === 'act' || line === 'first_hour'))
          // Those for two forms of a condition are never given to one patient.
          .filter(({ for_whom: whom }) => whom === null || one.for_whom === null || whom === one.for_whom)
          .flatMap(({ id }) =>
            one.never_with
              .filter((each) => given(id).has(each))
              .map((each) => `${condition.id}: ${one.id} never with ${each}, of ${id}`),
          ),
      );
    });
    expect(harm).toEqual([]);
  });

  test('every medicine says what it is for and how much, or that it goes by local protocol', () => {
    const silent = knowledge.conditions.flatMap((condition) =>
      condition.treatments.flatMap((id) => {
        const { purpose, dose } = careOf(condition, treatments.get(id)!);
        const isMedicine = treatments.get(id)!.uses !== undefined;
        return purpose === null || (isMedicine && dose === null) ? [`${condition.id} ${id}`] : [];
      }),
    );
    expect(silent).toEqual([]);
  });
});

describe('emergencies', () => {
  /** Who comes or receives; no act by itself. */
  const CALLS = new Set([
    'emergency_call',
    'hospital_admission',
    'urgent_surgical_referral',
    'obstetric_emergency',
    'psychiatric_emergency',
    'pediatric_emergency',
    'eye_emergency',
    'stroke_unit',
  ]);
  const emergencies = knowledge.conditions.filter(({ urgency }) => urgency === 'emergency');
  const careFor = (condition: Condition) =>
    condition.treatments.map((id) => ({ ...treatments.get(id)!, ...careOf(condition, treatments.get(id)!) }));

  test('each begins with help on its way or with the act that saves', () => {
    const late = emergencies.filter((condition) => careFor(condition)[0]?.line !== 'act').map(({ id }) => id);
    expect(late).toEqual([]);
  });

  test('each has an act or a treatment of the first hour besides a call, a referral and a test', () => {
    const without = emergencies.filter(
      (condition) =>
        !careFor(condition).some(
          ({ id, kind, line }) =>
            (line === 'act' || line === 'first_hour') &&
            !CALLS.has(id) &&
            kind !== 'referral' &&
            kind !== 'monitoring' &&
            kind !== 'lifestyle',
        ),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test('three in four cite a document by title, publisher, year and identifier for their acts', () => {
    const sources = new Map(knowledge.sources.map((each) => [each.id, each]));
    const citing = emergencies.filter((condition) =>
      careFor(condition).some(
        ({ line, source }) => line === 'act' && source !== null && isCitable(sources.get(source)!),
      ),
    );
    expect(citing.length / emergencies.length).toBeGreaterThan(0.75);
  });
});

describe('a condition that is mostly of children', () => {
  /** Shares of the bands of age among all who come. */
  const people = new Map(
    Object.entries({
      '0': 1,
      '1-4': 4,
      '5-11': 7,
      '12-17': 6,
      '18-29': 12,
      '30-44': 15,
      '45-59': 15,
      '60-74': 15,
      '75+': 10,
    }),
  );
  const shareUnderTwelve = (age: Readonly<Record<string, number>>): number => {
    const weights = [...people].map(([band, count]) => count * (age[band] ?? 1));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.slice(0, 3).reduce((sum, weight) => sum + weight, 0) / all;
  };
  /** The same dose for everybody: on the skin, in the eye, by the bowel alone. */
  const SAME_FOR_ALL = new Set([
    'pinworm_tx',
    'lice_tx',
    'azithromycin_child_eye',
    'motion_medicine',
    'high_flow_oxygen',
  ]);

  test('shows no dose of adults without saying what children are given', () => {
    const wrong = knowledge.conditions
      .filter(({ incidence }) => shareUnderTwelve(incidence.age ?? {}) >= 0.5)
      .flatMap((condition) =>
        condition.treatments
          .filter((id) => !SAME_FOR_ALL.has(id))
          .map((id) => [id, careOf(condition, treatments.get(id)!).dose ?? ''] as const)
          .filter(([, dose]) => /\d ?(mg|g|mL|micrograms|units)\b/.test(dose))
          .filter(([, dose]) => !/child|newborn|infant|kg|m²|from (five|six) years|to 12 years/i.test(dose))
          .map(([id]) => `${condition.id}: ${id}`),
      );
    expect(wrong).toEqual([]);
  });
});
