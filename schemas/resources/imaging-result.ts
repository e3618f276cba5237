import Type, { type Static } from 'typebox';
import { identifier, oneOf, optionalText, ref, stamp } from '../fields.ts';
import { ImagingAnalysis } from './imaging-analysis.ts';

/** The result of the analysis of an image, as it is kept. */
export const ImagingResult = Type.Object(
  {
    id: identifier('diag', 'Result identifier.'),
    kind: oneOf(['imaging'], { description: 'What it is the result of.' }),
    status: oneOf(['completed'], { 'x-open': true, description: 'State of the result.' }),
    study_id: Type.String({ description: 'The study that was looked at.', examples: ['img_8fJ2kQ0aZrT5mWxY7bLc'] }),
    instance_id: Type.String({ description: 'The file that was looked at.', examples: ['imi_8fJ2kQ0aZrT5mWxY7bLc'] }),
    frame: Type.Integer({ minimum: 1, description: 'The frame that was looked at.' }),
    patient_id: optionalText(80, { description: 'The patient that the study is of; null where nobody has said.' }),
    diagnostic_result: Type.Unsafe<ImagingAnalysis>({
      ...ref(ImagingAnalysis),
      description: 'What was seen. It never changes.',
    }),
    knowledge_version: Type.String({ description: 'Version of the knowledge base that conditions are linked to.' }),
    created_by: Type.String({ description: 'Identifier of the API key that asked for it.' }),
    created_at: stamp('When the analysis was made.'),
  },
  {
    $id: 'ImagingResult',
    title: 'ImagingResult',
    description: 'The result of the analysis of an image, as it is kept.',
  },
);
/** The result of the analysis of an image, as it is kept. */
export type ImagingResult = Static<typeof ImagingResult>;
