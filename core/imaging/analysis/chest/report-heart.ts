import type { ImagingStructure } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { StudyContext } from '../../image.ts';
import { confidence, probabilityAbove } from '../confidence.ts';
import { lineRegion, polygonRegion, toStored } from '../frame.ts';
import { measure } from '../measure.ts';
import { pictureSides } from './anatomy.ts';
import { conditionLink } from './conditions.ts';
import type { PictureSide } from './lung-fields.ts';
import { ERROR, judged, type Look, lengths, type Part, percent, USUAL, unjudged } from './report.ts';

/** The usual upper limit of the ratio for the view and the age, and what is not known about them. */
function cardiothoracicLimit({ view, patientAgeYears }: StudyContext): {
  readonly limit: number;
  readonly doubts: readonly string[];
  readonly deviation: number;
} {
  const position = view?.trim().toUpperCase();
  if (patientAgeYears !== undefined && patientAgeYears < 2)
    return {
      limit: USUAL.cardiothoracic.infant,
      doubts: ['In infants the thymus widens the shadow, and the ratio changes with every breath.'],
      deviation: 0.03,
    };
  if (position === 'AP')
    return {
      limit: USUAL.cardiothoracic.anteroposterior,
      doubts: ['Anteroposterior films magnify the heart, by how much depends on the distances.'],
      deviation: 0.025,
    };
  if (position === 'PA') return { limit: USUAL.cardiothoracic.posteroanterior, doubts: [], deviation: 0 };
  return {
    limit: USUAL.cardiothoracic.posteroanterior,
    doubts: ['The view is not known: an anteroposterior film would magnify the heart.'],
    deviation: 0.03,
  };
}

/** Heart and thorax: widths, and their ratio. */
export function heartPart(look: Look): Part {
  const { anatomy, heart, frame, context, called, doubts } = look;
  const { thorax, midline } = anatomy;
  const thoraxWidth = thorax.right - thorax.left;
  const thoraxMeasures = lengths(
    look,
    {
      code: 'thoracic_width',
      name: 'Inner width of the thorax',
      value: thoraxWidth,
      deviation: Math.hypot(ERROR.thorax * thoraxWidth, thorax.isCompleted ? 0.04 * thoraxWidth : 0),
      method: thorax.isCompleted
        ? 'Widest distance between the outer borders of the lung fields; one border is hidden and was taken from the other side.'
        : 'Widest distance between the outer borders of the lung fields.',
    },
    lineRegion(frame, [thorax.left, thorax.y], [thorax.right, thorax.y]),
  );
  const name = 'Heart width against chest width';
  if (heart.hidden.length > 0)
    return {
      measures: thoraxMeasures,
      checks: [
        unjudged(
          'heart_size',
          name,
          `The border of the heart is hidden on the ${heart.hidden.map(called).join(' and ')} side: the lung beside it ends early, or what lies beside it is as dense.`,
        ),
      ],
    };
  const ratio = heart.width / thoraxWidth;
  const { limit, doubts: viewDoubts, deviation: viewDeviation } = cardiothoracicLimit(context);
  const deviation = Math.hypot(heart.deviation / thoraxWidth, ERROR.cardiothoracic, thorax.isCompleted ? 0.03 : 0);
  const borders = pictureSides.map((side): readonly [number, number] => {
    const { y, distance } = heart.reach[side];
    return [midline(y + 0.5) + (side === 'left' ? -distance : distance), y];
  });
  const ratioMeasure = measure({
    code: 'cardiothoracic_ratio',
    name: 'Cardiothoracic ratio',
    value: ratio,
    unit: '1',
    deviation,
    usualHigh: limit,
    method:
      'Widest distance of the heart shadow from the midline to the right plus that to the left, over the inner width of the thorax. It grows with expiration, lying down and rotation.',
    region: polygonRegion(
      [borders[0]!, borders[1]!, [thorax.right, thorax.y] as const, [thorax.left, thorax.y] as const].map(([x, y]) =>
        toStored(frame, x, y),
      ),
    ),
  });
  const heartMeasures = lengths(
    look,
    {
      code: 'heart_width',
      name: 'Transverse width of the heart shadow',
      value: heart.width,
      deviation: Math.hypot(heart.deviation, ERROR.cardiothoracic * thoraxWidth),
      method: 'Sum of the widest distances from the midline to both sides.',
    },
    lineRegion(frame, borders[0]!, borders[1]!),
  );
  const estimate = probabilityAbove(ratio, limit, Math.hypot(deviation, viewDeviation));
  const isWide = ratio > limit;
  return {
    measures: [ratioMeasure, ...heartMeasures, ...thoraxMeasures],
    findings: isWide
      ? [
          {
            code: 'heart_enlarged',
            category: 'heart',
            name: 'Wide heart shadow',
            text: `The heart shadow takes ${percent(ratio)} of the inner width of the thorax; for this view and age up to ${percent(limit)} is usual.`,
            side: null,
            zone: null,
            region: heartRegion(look),
            confidence: confidence(estimate, {
              weak_evidence: ratio - limit < 2 * deviation ? 0.4 : 0.15,
              close_alternatives: 0.3,
              missing_demographics: viewDoubts.length > 0 ? 0.4 : context.patientAgeYears === undefined ? 0.2 : 0,
            }),
            doubts: [
              ...doubts,
              ...viewDoubts,
              'Poor inspiration, lying down, fat beside the heart and fluid around it widen the shadow as well.',
            ],
            measures: [ratioMeasure],
            conditions: [
              conditionLink('heart_failure', 'A heart that pumps badly is often wide; many wide hearts do not fail.'),
              conditionLink('cardiomyopathy', 'Dilated forms widen the shadow.'),
              conditionLink('acute_pericarditis', 'Fluid around the heart widens the shadow.'),
            ],
          },
        ]
      : [],
    checks: [judged('heart_size', name, isWide)],
  };
}

/** Between the heart's borders; its lower border cannot be seen and is drawn at the height of the domes. */
function heartRegion({ anatomy, heart, frame }: Look): ImagingStructure['region'] {
  const { sides, midline, top, bottom } = anatomy;
  const from = Math.round(top + 0.42 * (bottom - top));
  const to = Math.max(from + 2, Math.min(bottom, Math.max(sides.left.dome, sides.right.dome)));
  const border = (side: PictureSide): (readonly [number, number])[] => {
    const points: (readonly [number, number])[] = [];
    for (let y = from; y <= to; y += Math.max(1, Math.floor((to - from) / 40))) {
      const distance = y <= sides[side].dome ? sides[side].medial[y]! : Number.NaN;
      const known = Number.isNaN(distance)
        ? heart.reach[side].distance * 0.9
        : Math.min(distance, heart.reach[side].distance);
      points.push([midline(y + 0.5) + (side === 'left' ? -known : known), y]);
    }
    return points;
  };
  return polygonRegion([...border('right'), ...border('left').reverse()].map(([x, y]) => toStored(frame, x, y)));
}

/** The heart, where its borders are seen. */
export function heartStructure(look: Look): ImagingStructure[] {
  if (look.heart.hidden.length > 0) return [];
  return [
    {
      code: 'heart',
      name: 'Heart shadow, its upper and lower ends drawn by convention',
      side: null,
      region: heartRegion(look),
      confidence: confidence(0.85, { unrecognized_input: 0.4, weak_evidence: 0.2 }),
    },
  ];
}
