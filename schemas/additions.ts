/**
 * What each release added without breaking anything (specification, section 9.4), for the changelog. What a release
 * changed is said by the sentences of its changes, and is not repeated here.
 */
export const additions: Readonly<Record<string, readonly string[]>> = {
  '2023-10-15': [
    'Real-time diagnostic streaming.',
    'Medical image analysis.',
    'Better recognition of medical terminology.',
  ],
  '2023-04-30': ['Bulk operations for patients and diagnostic records.', 'Medical knowledge graph API.', 'Webhooks.'],
  '2022-11-15': ['Differential diagnosis.', 'Drug interaction checking.', 'Record attachments.'],
};
