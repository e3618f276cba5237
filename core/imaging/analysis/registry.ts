import type { ImagingRefusal } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { StudyContext } from '../image.ts';
import type { Analyzer } from './analyzer.ts';
import { frontalChest } from './chest/frontal.ts';

/** Every analyser of the service. The first that fits is asked: narrower ones, and models, come before wider ones. */
export const analyzers: readonly Analyzer[] = [frontalChest];

/** The analyser for what is known of a study, or why there is none. */
export function chooseAnalyzer(
  context: StudyContext,
  among: readonly Analyzer[] = analyzers,
): { readonly analyzer: Analyzer } | { readonly refusal: ImagingRefusal } {
  let refusal: ImagingRefusal = { code: 'no_analyzer', text: 'There is no analyser.' };
  for (const [index, analyzer] of among.entries()) {
    const fit = analyzer.fits(context);
    if (fit.fits) return { analyzer };
    // The reason of the first is given: it is the one that comes nearest.
    if (index === 0) refusal = fit.refusal;
  }
  return { refusal };
}
