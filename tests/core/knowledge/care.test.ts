import { describe, expect, test } from '@jest/globals';
import { loadKnowledge } from '../../../core/knowledge/load.ts';
import { loadMedications } from '../../../core/medications/load.ts';

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

/** Given against a usual rule, and why. */
const REASONED: Readonly<Record<string, string>> = {
  'kawasaki_disease aspirin': 'protects the coronary arteries; the one disease of childhood in which it is usual',
};

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

  test('aspirin for a disease of childhood is given only with a reason', () => {
    const child = [
      'kawasaki_disease',
      'misc',
      'reye',
      'chickenpox',
      'febrile_seizure',
      'croup',
      'fifth_disease',
      'roseola',
    ];
    const list = knowledge.conditions.filter(({ id }) => child.includes(id));
    const used = list.flatMap(({ id, treatments: all }) =>
      all.filter((each) => given(each).has('acetylsalicylic-acid')).map((each) => `${id} ${each}`),
    );
    expect(used).toEqual(Object.keys(REASONED));
  });
});

describe('emergencies', () => {
  const SLOW = new Set(['monitoring', 'lifestyle']);
  /** Referrals that are the help itself: who comes or receives within the hour. */
  const CALLS = [
    'emergency_call',
    'urgent_surgical_referral',
    'obstetric_emergency',
    'psychiatric_emergency',
    'pediatric_emergency',
  ];
  const HELP = new Set([...CALLS, 'eye_emergency', 'hospital_admission']);

  test('each begins with help on its way or with an act, never with a clinic, a test or advice', () => {
    const late = knowledge.conditions
      .filter(({ urgency, treatments: [first] }) => {
        const kind = treatments.get(first!)?.kind ?? 'monitoring';
        return urgency === 'emergency' && !HELP.has(first!) && (SLOW.has(kind) || kind === 'referral');
      })
      .map(({ id, treatments: [first] }) => `${id} ${first!}`);
    expect(late).toEqual([]);
  });
});
