import { change } from '../../engine/change.ts';
import { added } from '../../engine/describe.ts';

export const addGenderIdentity = change({
  id: 'add-gender-identity',
  sentence: 'A patient has `gender_identity`, in the patient’s own words, apart from the recorded `sex`.',
  resources: [{ resource: 'Patient', edits: [added('gender_identity')] }],
});
