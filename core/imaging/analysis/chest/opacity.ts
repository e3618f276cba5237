import type {
  ImagingCheck,
  ImagingFinding,
  ImagingMeasure,
  ImagingRegion,
} from '@perennial/schemas/resources/imaging-analysis.ts';
import type { GrayImage, StudyContext } from '../../image.ts';
import { calibratedConfidence } from '../confidence.ts';
import type { FilmJudgement, FilmLook } from '../film-model/film-look.ts';
import { storedPlace } from '../film-model/sample.ts';
import { polygonRegion } from '../frame.ts';
import { componentMask, components, maskOf, outline } from '../mask.ts';
import { measure } from '../measure.ts';
import { conditionLink } from './conditions.ts';
import { judged, percent, unjudged } from './report.ts';

/** From this probability on an opacity is reported. */
const REPORTED = 0.5;
/** The map is drawn on a grid so many times finer. */
const FINER = 8;
const NAME = 'Pneumonia-like opacity';

/** What the judge says of opacities. */
export interface OpacityReport {
  readonly measures: readonly ImagingMeasure[];
  readonly findings: readonly ImagingFinding[];
  readonly checks: readonly ImagingCheck[];
}

/** The probability, and where it comes from; nothing on films that are unlike all that the judge learnt from. */
export function opacityOf(
  image: GrayImage,
  look: FilmLook,
  judgement: FilmJudgement,
  context: StudyContext,
): OpacityReport {
  const { opacity, distance, distanceMax } = judgement;
  if (distance > distanceMax)
    return {
      measures: [],
      findings: [],
      checks: [
        unjudged(
          'opacities',
          NAME,
          `The film is too unlike those that the judge learnt from: ${distance.toFixed(1)} away, and up to ${distanceMax.toFixed(1)} is usual.`,
        ),
      ],
    };
  const probability = measure({
    code: 'opacity_probability',
    name: `Probability of a ${NAME.toLowerCase()}`,
    value: opacity,
    unit: '1',
    digits: 6,
    usualHigh: REPORTED,
    method: `By the judge, calibrated on films of ${describe(look, context)} that it did not learn from.`,
  });
  const isFound = opacity >= REPORTED;
  return {
    measures: [probability],
    findings: isFound ? [findingOf(image, look, judgement, context, probability)] : [],
    checks: [judged('opacities', NAME, isFound)],
  };
}

function describe({ child }: FilmLook, { patientAgeYears }: StudyContext): string {
  if (patientAgeYears !== undefined) return child === 1 ? 'children' : 'adults';
  return `children and adults, for ${percent(child)} a child by its pixels`;
}

function findingOf(
  image: GrayImage,
  look: FilmLook,
  judgement: FilmJudgement,
  { patientAgeYears }: StudyContext,
  probability: ImagingMeasure,
): ImagingFinding {
  const { region, u, v } = placeOf(image, look, judgement);
  const isNamed = !look.position.isMirrored && look.turned >= 0.6;
  const side = !isNamed ? null : Math.abs(u - 0.5) < 0.04 ? 'midline' : u < 0.5 ? 'right' : 'left';
  const zone = v < 0.38 ? 'upper' : v < 0.56 ? 'mid' : 'lower';
  return {
    code: 'opacity',
    category: 'lung',
    name: `${NAME}, ${side === 'right' || side === 'left' ? `${side} ` : ''}${zone} zone`,
    text: `The judge, a network that learnt from films of patients with and without pneumonia, gives ${percent(judgement.opacity)} that such an opacity is to be seen. The place is where most of what speaks for it lies in its map of class activation, whose cells are a tenth of the picture.`,
    side,
    zone,
    region,
    confidence: calibratedConfidence(judgement.opacity, {
      close_alternatives: 0.3,
      missing_demographics: patientAgeYears === undefined ? 0.2 : 0,
    }),
    doubts: [
      'Infection, tumour, fluid, collapse, scars and shadows from outside the lung look alike on one film.',
      'The place is coarse, and there may be others.',
      ...(look.inverted > 0.5 ? ['Black and white were exchanged before it was judged.'] : []),
      ...(look.turned < 0.6 ? ['It is not sure which way up the film is.'] : []),
    ],
    measures: [probability],
    conditions: [
      conditionLink('pneumonia', 'Air spaces filled by infection are dense.'),
      conditionLink('lung_cancer', 'A mass, or the lung behind a blocked airway, is dense.'),
      ...(zone === 'upper' ? [conditionLink('tuberculosis', 'Favours the upper zones.')] : []),
      ...(zone === 'lower'
        ? [conditionLink('pleural_effusion', 'Fluid collects at the base of an upright patient.')]
        : []),
    ],
  };
}

/** The part of the map around its highest cell, in pixels of the stored picture, and its middle in the upright one. */
function placeOf(
  { width, height }: GrayImage,
  { position }: FilmLook,
  { map, mapSide, placeFrom }: FilmJudgement,
): { readonly region: ImagingRegion; readonly u: number; readonly v: number } {
  const side = mapSide * FINER;
  const at = (x: number, y: number): number =>
    map[Math.min(mapSide - 1, Math.max(0, y)) * mapSide + Math.min(mapSide - 1, Math.max(0, x))]!;
  const fine = Float32Array.from({ length: side * side }, (_, index) => {
    const x = ((index % side) + 0.5) / FINER - 0.5;
    const y = (Math.floor(index / side) + 0.5) / FINER - 0.5;
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [across, down] = [x - left, y - top];
    const above = at(left, top) * (1 - across) + at(left + 1, top) * across;
    const below = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across;
    return above * (1 - down) + below * down;
  });
  const highest = fine.indexOf(Math.max(...fine));
  const from = Math.min(placeFrom, fine[highest]!);
  const { labels, list } = components(
    maskOf(side, side, (index) => fine[index]! >= from),
    1,
  );
  const label = labels[highest]!;
  const part = list.find((each) => each.label === label)!;
  const points = outline(componentMask(labels, label, side, side), 1).map(([x, y]) => {
    const [u, v] = storedPlace(position, x / side, y / side);
    return [Math.round(10 * u * width) / 10, Math.round(10 * v * height) / 10] as const;
  });
  return { region: polygonRegion(points), u: (part.x + 0.5) / side, v: (part.y + 0.5) / side };
}
