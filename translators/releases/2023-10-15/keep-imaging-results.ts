import { change } from '../../engine/change.ts';
import { added, becameNullable, valueAdded } from '../../engine/describe.ts';

/** Operations that find diagnostic records, or what tells of them. */
const finding = [
  'diagnostics.list',
  'diagnostics.get',
  'diagnostics.update',
  'diagnostics.giveFeedback',
  'diagnostics.delete',
  'diagnostics.restore',
  'diagnostics.bulk',
  'events.list',
  'events.get',
  'jobs.list',
  'jobs.get',
  'jobs.cancel',
  'jobs.result',
];

/** Whoever was promised a patient and a ranking in every record is shown none that has neither. */
export const keepImagingResults = change({
  id: 'keep-imaging-results',
  sentence:
    'The result of an image is a diagnostic record of kind `imaging`, read, noted and given feedback like the others: it has `imaging`, no `diagnostic_result`, and no patient while nobody has said whom the image shows. Older versions do not find such records.',
  resources: [
    {
      resource: 'DiagnosticRecord',
      edits: [
        becameNullable('patient_id', 'The patient it is about.'),
        valueAdded('kind', ['imaging']),
        becameNullable('patientData', 'What the analysis was given.'),
        becameNullable('diagnostic_result', 'The result. It never changes.'),
        added('imaging'),
      ],
    },
  ],
  operations: [
    {
      kind: 'query',
      of: finding,
      removes: ['include_imaging'],
      adds: [],
      up: (query) => ({ query: { ...query, include_imaging: false } }),
    },
  ],
});
