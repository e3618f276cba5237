import Type, { type Static } from 'typebox';
import { ref, reference } from '../fields.ts';
import { ImagingAnalysis } from './imaging-analysis.ts';

/** What a diagnostic record of an image holds: which image was looked at, and what was seen. */
export const DiagnosticImaging = Type.Object(
  {
    study_id: reference<'img'>({
      description: 'The study that was looked at.',
      examples: ['img_8fJ2kQ0aZrT5mWxY7bLc'],
    }),
    instance_id: reference<'imi'>({
      description: 'The file that was looked at.',
      examples: ['imi_8fJ2kQ0aZrT5mWxY7bLc'],
    }),
    frame: Type.Integer({ minimum: 1, description: 'The frame that was looked at.' }),
    analysis: Type.Unsafe<ImagingAnalysis>({
      ...ref(ImagingAnalysis),
      description: 'What was seen. It never changes.',
    }),
    knowledge_version: Type.String({ description: 'Version of the knowledge base that conditions are linked to.' }),
  },
  {
    $id: 'DiagnosticImaging',
    title: 'DiagnosticImaging',
    description: 'Which image was looked at, and what was seen in it.',
  },
);
/** What a diagnostic record of an image holds: which image was looked at, and what was seen. */
export type DiagnosticImaging = Static<typeof DiagnosticImaging>;
