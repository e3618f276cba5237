import type { ImagingCheck, ImagingFinding, ImagingMeasure } from '@perennial/schemas/resources/imaging-analysis.ts';
import { confidence, normalCumulative, probabilityAbove } from '../confidence.ts';
import { lineRegion } from '../frame.ts';
import { measure } from '../measure.ts';
import type { Raster } from '../raster.ts';
import { conditionLink } from './conditions.ts';
import type { PictureSide } from './lung-fields.ts';
import { findTrachea, measureMediastinum } from './mediastinum.ts';
import { ERROR, judged, type Look, lengths, type Part, percent, USUAL, unjudged } from './report.ts';

/** The upper mediastinum and the trachea. @param tone of the upright picture. */
export function mediastinumPart(look: Look, tone: Raster): Part {
  const { anatomy, frame, sideOf, context, doubts } = look;
  const measures: ImagingMeasure[] = [];
  const findings: ImagingFinding[] = [];
  const checks: ImagingCheck[] = [];
  const width = measureMediastinum(anatomy);
  if (width) {
    const value = width.right - width.left;
    const ratio = value / width.thoraxWidth;
    const region = lineRegion(frame, [width.left, width.y], [width.right, width.y]);
    const ratioMeasure = measure({
      code: 'mediastinal_ratio',
      name: 'Width of the upper mediastinum over that of the thorax',
      value: ratio,
      unit: '1',
      deviation: ERROR.mediastinal,
      usualHigh: USUAL.mediastinal,
      method:
        'Median between the inner borders of the lung fields at the height of the aortic arch, over the inner width there.',
      region,
    });
    measures.push(
      ratioMeasure,
      ...lengths(
        look,
        {
          code: 'mediastinal_width',
          name: 'Width of the upper mediastinum',
          value,
          deviation: Math.hypot(1.5, 0.05 * value),
          method: 'Median between the inner borders of the lung fields at the height of the aortic arch.',
        },
        region,
      ),
    );
    const isWide = ratio > USUAL.mediastinal;
    if (isWide)
      findings.push({
        code: 'mediastinum_wide',
        category: 'mediastinum',
        name: 'Wide upper mediastinum',
        text: `At the height of the aortic arch the shadow between the lungs takes ${percent(ratio)} of the inner thorax; up to ${percent(USUAL.mediastinal)} is usual by this measure.`,
        side: 'midline',
        zone: null,
        region,
        confidence: confidence(
          probabilityAbove(
            ratio,
            USUAL.mediastinal,
            Math.hypot(ERROR.mediastinal, context.view?.toUpperCase() === 'PA' ? 0 : 0.03),
          ),
          { close_alternatives: 0.5, weak_evidence: 0.25, missing_demographics: context.view ? 0 : 0.3 },
        ),
        doubts: [
          ...doubts,
          'Anteroposterior films, lying down, poor inspiration, rotation, and a thymus in children widen it. An opacity beside it does as well.',
        ],
        measures: [ratioMeasure],
        conditions: [
          conditionLink('aortic_dissection', 'Can widen the mediastinum; a usual width does not rule it out.'),
          conditionLink('hodgkin_lymphoma', 'Lymph nodes widen the mediastinum.'),
          conditionLink('non_hodgkin_lymphoma', 'Lymph nodes widen the mediastinum.'),
        ],
      });
    checks.push(judged('mediastinal_width', 'Width of the upper mediastinum', isWide));
  } else
    checks.push(
      unjudged(
        'mediastinal_width',
        'Width of the upper mediastinum',
        'A lung field does not reach the height of the aortic arch.',
      ),
    );
  const trachea = findTrachea(tone, anatomy);
  const label = 'Position of the trachea';
  if (!trachea) checks.push(unjudged('trachea', label, 'Its column of air does not stand out enough in this picture.'));
  else {
    const half = (anatomy.thorax.right - anatomy.thorax.left) / 2;
    const offset = Math.abs(trachea.offset) / half;
    const side: PictureSide = trachea.offset < 0 ? 'left' : 'right';
    const offsetMeasure = measure({
      code: 'trachea_offset',
      name: 'Offset of the trachea from the midline',
      value: offset,
      unit: '1',
      deviation: trachea.deviation / half,
      usualHigh: USUAL.trachea,
      side: sideOf(side),
      method:
        'Distance of the column of air from the midline between the outer lung borders, over the half width of the thorax.',
      region: lineRegion(frame, trachea.from, trachea.to),
    });
    measures.push(offsetMeasure);
    const isOff = offset > USUAL.trachea;
    checks.push(judged('trachea', label, isOff));
    if (isOff)
      findings.push({
        code: 'trachea_deviated',
        category: 'mediastinum',
        name: `Trachea off the midline, to the ${look.called(side)}`,
        text: `Its column of air lies ${percent(offset)} of the half width of the thorax off the midline; up to ${percent(USUAL.trachea)} is usual by this measure.`,
        side: sideOf(side),
        zone: 'upper',
        region: lineRegion(frame, trachea.from, trachea.to),
        confidence: confidence(normalCumulative((offset - USUAL.trachea) / (trachea.deviation / half)), {
          close_alternatives: 0.5,
          weak_evidence: 0.3,
        }),
        doubts: [
          ...doubts,
          'A patient who is turned has a trachea that looks off the midline, and age moves it to the right.',
        ],
        measures: [offsetMeasure],
        conditions: [
          conditionLink(
            'tension_pneumothorax',
            'Pushes the trachea away; it is found at the bedside and not on films.',
          ),
          conditionLink('pleural_effusion', 'A large effusion pushes the trachea away.'),
          conditionLink('lung_cancer', 'A blocked airway draws the trachea towards it.'),
        ],
      });
  }
  return { measures, findings, checks };
}
