import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { GrayImage, StudyContext } from '../../image.ts';
import type { TrainedModel } from './trained-model.ts';

/**
 * The result with what every fitting model adds. A model that fits a study that no analyser is for makes it an analysed
 * one: what the models were made for is theirs to judge. An image that an analyser is for and did not find in it what the
 * header says stays refused, as does one that is blank or too small: a score for it would be a guess.
 */
export async function applyModels(
  analysis: ImagingAnalysis,
  image: GrayImage,
  context: StudyContext,
  models: readonly TrainedModel[],
): Promise<ImagingAnalysis> {
  const fitting = models.filter((model) => model.fits(context));
  const { refusal } = analysis;
  if (fitting.length === 0 || (refusal && refusal.code !== 'no_analyzer' && refusal.code !== 'unsupported_view'))
    return analysis;
  const findings = [...analysis.findings];
  for (const model of fitting) findings.push(...(await model.run(image)));
  const isNew = analysis.outcome === 'not_analyzable';
  return {
    ...analysis,
    outcome: 'analyzed',
    refusal: null,
    findings: findings.sort((a, b) => b.confidence.estimate - a.confidence.estimate),
    analyzers: [...(isNew ? [] : analysis.analyzers), ...fitting.map(({ about }) => about)],
    limits: [...(isNew ? [] : analysis.limits), ...fitting.flatMap(({ limits }) => limits)],
  };
}
