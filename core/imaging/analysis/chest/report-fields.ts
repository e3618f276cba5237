import type { ImagingFinding, ImagingStructure } from '@perennial/schemas/resources/imaging-analysis.ts';
import { confidence, probabilityAbove } from '../confidence.ts';
import { regionOf } from '../frame.ts';
import { areaOf } from '../mask.ts';
import { measure } from '../measure.ts';
import { pictureSides, seenShare } from './anatomy.ts';
import { capital, judged, type Look, type Part, percent, USUAL } from './report.ts';

/** Both lung fields, as far as air is seen. */
export function lungStructures({ anatomy, frame, sideOf, called }: Look, probability: number): ImagingStructure[] {
  return pictureSides.map((side) => {
    const field = anatomy.sides[side];
    const name = sideOf(side);
    return {
      code: name === null ? `lung_picture_${side}` : `${name}_lung`,
      name: `${capital(called(side))} lung field, as far as air is seen`,
      side: name,
      region: regionOf(frame, field.air),
      confidence: confidence(Math.min(0.97, probability * Math.min(1, 0.4 + 0.6 * seenShare(field))), {
        unrecognized_input: 0.8 * (1 - seenShare(field)),
        weak_evidence: 0.2,
      }),
    };
  });
}

/** The size of one lung field against the other. */
export function fieldsPart(look: Look): Part {
  const { anatomy, sideOf, called, frame, doubts } = look;
  const area = { left: areaOf(anatomy.sides.left.air), right: areaOf(anatomy.sides.right.air) };
  const smaller = area.left < area.right ? 'left' : 'right';
  const share = Math.min(area.left, area.right) / Math.max(area.left, area.right);
  const areaMeasure = measure({
    code: 'lung_area_ratio',
    name: 'Smaller over larger lung field',
    value: share,
    unit: '1',
    deviation: 0.04,
    usualLow: USUAL.area,
    side: sideOf(smaller),
    method: 'Areas in which air is seen. The heart makes the left field the smaller one in most people.',
  });
  const findings: ImagingFinding[] = [];
  if (share < USUAL.area)
    findings.push({
      code: 'lung_area_asymmetry',
      category: 'lung',
      name: `Small ${called(smaller)} lung field`,
      text: `Air is seen in an area of ${percent(share)} of that on the other side; usual is more than ${percent(USUAL.area)}. Fluid, collapse, a raised diaphragm and a dense lung all do this.`,
      side: sideOf(smaller),
      zone: null,
      region: regionOf(frame, anatomy.sides[smaller].air),
      confidence: confidence(probabilityAbove(-share, -USUAL.area, 0.05), {
        close_alternatives: 0.4,
        weak_evidence: 0.2,
      }),
      doubts: [...doubts, 'A patient who is turned has one field that looks smaller.'],
      measures: [areaMeasure],
      conditions: [],
    });
  return {
    measures: [areaMeasure],
    findings,
    checks: [judged('lung_symmetry', 'Size of the lung fields against each other', findings.length > 0)],
  };
}
