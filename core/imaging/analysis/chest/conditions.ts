import type { ImagingConditionLink } from '@perennial/schemas/resources/imaging-analysis.ts';

/** Conditions of the knowledge base by id, as they are named there; a test holds both equal. */
const names = {
  pneumonia: ['Pneumonia', 'J18.9'],
  pleural_effusion: ['Pleural effusion', 'J90'],
  heart_failure: ['Heart failure', 'I50.9'],
  cardiomyopathy: ['Cardiomyopathy', 'I42.0', 'I42.9'],
  acute_pericarditis: ['Acute pericarditis', 'I30.9'],
  lung_cancer: ['Lung cancer', 'C34.9'],
  tuberculosis: ['Tuberculosis', 'A15.0'],
  lung_abscess: ['Lung abscess', 'J85.2', 'J86.9'],
  aortic_dissection: ['Aortic dissection', 'I71.0'],
  hodgkin_lymphoma: ['Hodgkin lymphoma', 'C81.9'],
  non_hodgkin_lymphoma: ['Non-Hodgkin lymphoma', 'C85.9'],
  tension_pneumothorax: ['Tension pneumothorax', 'J93.0'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type ConditionId = keyof typeof names;

/** All conditions that observations are linked to. */
export const conditionIds = Object.keys(names) as ConditionId[];

/** A link from an observation to a condition, with what one has to do with the other. */
export function conditionLink(id: ConditionId, relation: string): ImagingConditionLink {
  const [name, ...icd10] = names[id];
  return { condition_id: id, name, icd10: [...icd10], relation };
}
