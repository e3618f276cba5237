import { change } from '../../engine/change.ts';
import { added, rename } from '../../engine/describe.ts';

export const restructureContact = change({
  id: 'restructure-contact',
  sentence:
    '`contact` of a patient is called `contact_info` and says by `preferred_method` how the patient wishes to be reached.',
  resources: [
    { resource: 'Patient', edits: [rename('contact', 'contact_info'), added('contact_info.preferred_method')] },
  ],
});
