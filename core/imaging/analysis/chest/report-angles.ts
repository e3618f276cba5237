import type { ImagingCheck, ImagingFinding, ImagingMeasure } from '@perennial/schemas/resources/imaging-analysis.ts';
import { confidence, probabilityAbove } from '../confidence.ts';
import { polygonRegion, toStored } from '../frame.ts';
import { measure } from '../measure.ts';
import { pictureSides } from './anatomy.ts';
import { conditionLink } from './conditions.ts';
import { type CostophrenicAngle, measureAngle } from './costophrenic.ts';
import type { PictureSide } from './lung-fields.ts';
import { ERROR, judged, type Look, type Part, USUAL, unjudged } from './report.ts';

/** The costophrenic angles. */
export function anglesPart(look: Look): Part {
  const { anatomy, frame, sideOf, called, doubts } = look;
  const measures: ImagingMeasure[] = [];
  const findings: ImagingFinding[] = [];
  const checks: ImagingCheck[] = [];
  for (const side of pictureSides) {
    const angle = measureAngle(anatomy, side);
    const name = sideOf(side);
    const code = name === null ? `costophrenic_angle_picture_${side}` : `costophrenic_angle_${name}`;
    const label = `Costophrenic angle, ${called(side)}`;
    if (!angle) {
      checks.push(
        unjudged(code, label, 'The lower border of the lung field there is too short or not in the picture.'),
      );
      continue;
    }
    const angleMeasure = measure({
      code,
      name: label,
      value: angle.degrees,
      unit: 'deg',
      deviation: ERROR.angleDegrees,
      usualHigh: USUAL.angleDegrees,
      side: name,
      method:
        'Between lines fitted to the chest wall above the outer lower corner of the lung field and to the diaphragm inwards of it.',
      region: polygonRegion([angle.wall, angle.corner, angle.diaphragm].map(([x, y]) => toStored(frame, x, y))),
    });
    measures.push(angleMeasure);
    const isBlunt = angle.degrees > USUAL.angleDegrees;
    checks.push(judged(code, label, isBlunt));
    if (isBlunt) findings.push(bluntAngle(look, side, angle, angleMeasure, doubts));
  }
  return { measures, findings, checks };
}

function bluntAngle(
  { anatomy, frame, sideOf, called }: Look,
  side: PictureSide,
  angle: CostophrenicAngle,
  angleMeasure: ImagingMeasure,
  doubts: readonly string[],
): ImagingFinding {
  const reach = 0.1 * (anatomy.bottom - anatomy.top);
  const [x, y] = angle.corner;
  const corners = [
    [x - reach, y - reach],
    [x + reach, y - reach],
    [x + reach, y + reach],
    [x - reach, y + reach],
  ] as const;
  return {
    code: 'costophrenic_angle_blunted',
    category: 'pleura',
    name: `Blunted costophrenic angle, ${called(side)}`,
    text: `The outer lower corner of the lung field is open by ${Math.round(angle.degrees)}°; corners up to ${USUAL.angleDegrees}° are usual by this measure.`,
    side: sideOf(side),
    zone: 'lower',
    region: polygonRegion(corners.map(([cx, cy]) => toStored(frame, cx, cy))),
    confidence: confidence(probabilityAbove(angle.degrees, USUAL.angleDegrees, ERROR.angleDegrees), {
      weak_evidence: angle.degrees < USUAL.angleDegrees + 10 ? 0.4 : 0.15,
      close_alternatives: 0.35,
    }),
    doubts: [
      ...doubts,
      'Scars, over-inflated lungs with a flat diaphragm, and a picture that ends there look the same. On films taken lying down fluid spreads, and the angle stays sharp.',
    ],
    measures: [angleMeasure],
    conditions: [
      conditionLink('pleural_effusion', 'Fluid in an upright patient fills this corner first, from about 200 mL on.'),
    ],
  };
}
