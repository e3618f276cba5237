import { change } from '../../engine/change.ts';
import { rename } from '../../engine/describe.ts';

export const renameGenderToSex = change({
  id: 'rename-gender-to-sex',
  sentence: '`gender` of a patient is called `sex`, with the same values, because that is what it always recorded.',
  resources: [{ resource: 'Patient', edits: [rename('gender', 'sex')] }],
});
