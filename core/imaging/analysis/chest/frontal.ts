import type {
  ImagingCheck,
  ImagingFinding,
  ImagingMeasure,
  ImagingOrientation,
  ImagingStructure,
} from '@perennial/schemas/resources/imaging-analysis.ts';
import type { StudyContext } from '../../image.ts';
import type { Analyzer, Fit, Prepared, Reading, Refusal } from '../analyzer.ts';
import { confidence, type Doubts, normalCumulative, probabilityAbove } from '../confidence.ts';
import {
  type Frame,
  lineRegion,
  millimetresPerColumn,
  pixelsPerColumn,
  polygonRegion,
  regionOf,
  toStored,
} from '../frame.ts';
import { areaOf } from '../mask.ts';
import { measure } from '../measure.ts';
import { cropped } from '../raster.ts';
import { type Anatomy, pictureSides, seenShare } from './anatomy.ts';
import { conditionLink } from './conditions.ts';
import { type CostophrenicAngle, measureAngle } from './costophrenic.ts';
import { type Heart, measureHeart } from './heart.ts';
import type { PictureSide } from './lung-fields.ts';
import { findTrachea, measureMediastinum } from './mediastinum.ts';
import { type Densities, findOpacities, type Opacity } from './opacities.ts';
import { findUpright, type Upright } from './orient.ts';

/** From this probability on a picture of which nothing is known is taken for a frontal chest film. */
const RECOGNIZED = 0.85;
/** What the header says needs less support by the pixels. */
const SUPPORTED = 0.35;

/**
 * Limits of what is usual. Only 0.5 has a source; every limit without one was chosen on computed films and says nothing
 * of what is usual in people. See README.md in the folder above.
 */
const USUAL = {
  /**
   * 0.5 for posteroanterior films: C. S. Danzer, American Journal of the Medical Sciences 1919. 0.55 and 0.6 are
   * conventional: anteroposterior films magnify the heart, and that of infants is wider; no source was verified.
   */
  cardiothoracic: { posteroanterior: 0.5, anteroposterior: 0.55, infant: 0.6 },
  /** Mediastinal over thoracic width at the arch. */
  mediastinal: 0.38,
  /** An angle wider than this is blunted; those of healthy computed films have about 45° to 75° by this measure. */
  angleDegrees: 82,
  /** Offset of the trachea over the half width of the thorax. */
  trachea: 0.09,
  /** Difference of the fields' median tone over the contrast between lung and mediastinum. */
  tone: 0.16,
  /** Smaller over larger lung field. */
  area: 0.6,
} as const;

/** Standard deviations beside those that the pixels give; from computed films, where the truth is known. */
const ERROR = { cardiothoracic: 0.012, angleDegrees: 7, mediastinal: 0.02, thorax: 0.012, tone: 0.02 } as const;

/** Frontal chest films of adults, by image processing alone. */
export const frontalChest: Analyzer = {
  about: {
    id: 'chest-frontal',
    name: 'Frontal chest film by image processing',
    version: '1.1.0',
    kind: 'image_processing',
    sha256: null,
  },
  fits,
  analyze,
};

const radiographs = new Set(['CR', 'DX', 'PX', 'RG', 'DR']);

function fits({ modality, bodyPart, view, source }: StudyContext): Fit {
  const kind = modality?.trim().toUpperCase();
  const part = bodyPart?.trim().toUpperCase();
  const position = view?.trim().toUpperCase();
  const refuse = (code: 'no_analyzer' | 'unsupported_view', text: string): Fit => ({
    fits: false,
    refusal: { code, text },
  });
  if (kind && !radiographs.has(kind) && kind !== 'OT' && kind !== 'SC')
    return refuse('no_analyzer', 'No analyser takes images of this modality; there is one for frontal chest films.');
  if (part && !/CHEST|THORAX|LUNG/.test(part))
    return refuse(
      'no_analyzer',
      'No analyser takes films of this part of the body; there is one for frontal chest films.',
    );
  if (position && /^(LL|RL|LLD|RLD|LLO|RLO|LATERAL|LAT|LEFT LATERAL|RIGHT LATERAL)$/.test(position))
    return refuse('unsupported_view', 'Lateral and oblique chest films are not analysed.');
  if (source === 'dicom' && !kind) return refuse('no_analyzer', 'The file does not name its modality.');
  return { fits: true };
}

function analyze(prepared: Prepared, context: StudyContext): Reading | Refusal {
  const picture = cropped(prepared.small, prepared.content.box);
  const saysChest = /CHEST|THORAX|LUNG/.test(context.bodyPart?.toUpperCase() ?? '');
  const found = findUpright(picture);
  const evidence = found?.recognition.evidence.map(
    ({ text, score }) => `${score >= 0.5 ? 'for' : 'against'}: ${text}`,
  ) ?? ['against: no two dark fields beside each other'];
  const probability = found?.recognition.probability ?? 0;
  if (!found || probability < (saysChest ? SUPPORTED : RECOGNIZED))
    return {
      refusal: saysChest
        ? {
            code: 'quality_too_low',
            text: 'The header names the chest, but the lung fields of a frontal film are not found: another view, strong rotation, a cut-off picture, lungs without air, or poor exposure.',
          }
        : {
            code: 'not_recognized',
            text: 'Nothing says what the picture shows, and it does not look enough like a frontal chest film.',
          },
      subject: {
        kind: 'not_recognized',
        basis: saysChest ? 'header_and_pixels' : 'pixels',
        confidence: null,
        evidence,
      },
    };
  return read(found, prepared, context, { evidence, saysChest });
}

/** What every part of the report needs. */
interface Look {
  readonly anatomy: Anatomy;
  readonly heart: Heart;
  readonly densities: Densities;
  readonly frame: Frame;
  readonly mm: number | undefined;
  readonly px: number;
  readonly context: StudyContext;
  /** Side of the patient; null where left and right may be exchanged. */
  readonly sideOf: (side: PictureSide) => 'right' | 'left' | null;
  readonly called: (side: PictureSide) => string;
  /** Doubts that hold for everything in this picture. */
  readonly doubts: readonly string[];
}

function read(
  upright: Upright,
  prepared: Prepared,
  context: StudyContext,
  { evidence, saysChest }: { readonly evidence: readonly string[]; readonly saysChest: boolean },
): Reading {
  const { image, smallScale, content } = prepared;
  const { anatomy, fields, recognition } = upright;
  const frame: Frame = {
    width: image.width,
    height: image.height,
    scale: smallScale,
    crop: content.box,
    quarterTurns: upright.quarterTurns,
  };
  const heart = measureHeart(anatomy);
  const orientation = orientationOf(upright, heart);
  const isNamed = orientation.mirrored !== 'suspected';
  const sideOf = (side: PictureSide): 'right' | 'left' | null =>
    isNamed ? (side === 'left' ? 'right' : 'left') : null;
  const look: Look = {
    anatomy,
    heart,
    densities: findOpacities(fields.tone, anatomy),
    frame,
    mm: millimetresPerColumn(frame, image.pixelSpacingMm),
    px: pixelsPerColumn(frame),
    context,
    sideOf,
    called: (side) => sideOf(side) ?? `picture's ${side}`,
    doubts: recognition.probability < 0.9 ? ['The picture is not like a usual frontal chest film in every way.'] : [],
  };
  const parts = [
    fieldsPart(look),
    heartPart(look),
    anglesPart(look),
    opacitiesPart(look),
    mediastinumPart(look, upright),
  ];
  const findings = parts.flatMap((part) => part.findings ?? []);
  return {
    subject: {
      kind: 'chest_frontal',
      basis: saysChest ? 'header_and_pixels' : 'pixels',
      confidence: confidence(saysChest ? Math.max(recognition.probability, 0.9) : recognition.probability, {
        close_alternatives: 0.4,
        ...(recognition.probability < 0.9 ? { weak_evidence: 0.4 } : {}),
      }),
      evidence: [...evidence],
    },
    orientation,
    structures: [...lungStructures(look, recognition.probability), ...heartStructure(look)],
    measures: parts.flatMap((part) => part.measures ?? []),
    findings: findings.sort((a, b) => b.confidence.estimate - a.confidence.estimate),
    checks: [...parts.flatMap((part) => part.checks ?? []), ...notJudged],
    limits,
  };
}

interface Part {
  readonly measures?: readonly ImagingMeasure[];
  readonly findings?: readonly ImagingFinding[];
  readonly checks?: readonly ImagingCheck[];
}

function judged(code: string, name: string, isFound: boolean): ImagingCheck {
  return { code, name, outcome: isFound ? 'found' : 'not_found', reason: null };
}

function unjudged(code: string, name: string, reason: string): ImagingCheck {
  return { code, name, outcome: 'cannot_judge', reason };
}

/** Lengths in pixels of the stored picture and, where the spacing is known, in millimetres. */
function lengths(
  look: Look,
  from: {
    readonly code: string;
    readonly name: string;
    readonly value: number;
    readonly deviation: number;
    readonly method: string;
  },
  region: ImagingMeasure['region'],
): ImagingMeasure[] {
  const { code, name, value, deviation, method } = from;
  const one = (unit: '[pix]' | 'mm', factor: number): ImagingMeasure =>
    measure({ code, name, value: value * factor, unit, deviation: deviation * factor, method, region });
  return [
    one('[pix]', look.px),
    ...(look.mm === undefined
      ? []
      : [{ ...one('mm', look.mm), method: `${method} At the detector: the body lies before it and is magnified.` }]),
  ];
}

function lungStructures({ anatomy, frame, sideOf, called }: Look, probability: number): ImagingStructure[] {
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The field of each lung: size, and density as a whole. */
function fieldsPart(look: Look): Part {
  const { anatomy, densities, sideOf, called, frame, doubts } = look;
  const area = { left: areaOf(anatomy.sides.left.air), right: areaOf(anatomy.sides.right.air) };
  const smaller = area.left < area.right ? 'left' : 'right';
  const share = Math.min(area.left, area.right) / Math.max(area.left, area.right);
  const { field } = densities;
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
  const toneMeasure = measure({
    code: 'lung_tone_difference',
    name: 'Difference in density between the lung fields',
    value: field.difference,
    unit: '1',
    deviation: ERROR.tone + field.spread / field.contrast / 4,
    usualHigh: USUAL.tone,
    side: sideOf(field.denser),
    method: 'Median tone of one field less that of the other, over the contrast between lung and mediastinum.',
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
  if (field.difference > USUAL.tone)
    findings.push({
      code: 'lung_density_asymmetry',
      category: 'lung',
      name: `${capital(called(field.denser))} lung field denser as a whole`,
      text: `Its median tone is higher by ${percent(field.difference)} of the contrast between lung and mediastinum; usual is less than ${percent(USUAL.tone)}.`,
      side: sideOf(field.denser),
      zone: null,
      region: regionOf(frame, anatomy.sides[field.denser].air),
      confidence: confidence(
        probabilityAbove(field.difference, USUAL.tone, toneMeasure.interval ? 1.5 * ERROR.tone : 0.03),
        { close_alternatives: 0.6, weak_evidence: 0.3 },
      ),
      doubts: [
        ...doubts,
        'A patient who is turned, a breast, or an anode that is worn does the same; less air on one side and more on the other cannot be told apart.',
      ],
      measures: [toneMeasure],
      conditions: [],
    });
  return {
    measures: [areaMeasure, toneMeasure],
    findings,
    checks: [judged('lung_symmetry', 'Size and density of the lung fields against each other', findings.length > 0)],
  };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

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

function heartPart(look: Look): Part {
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

function heartStructure(look: Look): ImagingStructure[] {
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

function anglesPart(look: Look): Part {
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

function opacitiesPart(look: Look): Part {
  const { densities } = look;
  return {
    findings: densities.opacities.map((each) => opacityFinding(look, each)),
    checks: [
      judged('opacities', 'Opacities in the lung fields', densities.opacities.length > 0),
      unjudged(
        'symmetric_disease',
        'Disease that is alike on both sides',
        'Each side is what the other is compared with: what is alike in both is not found.',
      ),
    ],
  };
}

const compared = {
  mirrored_side: 'the same place on the other side, and a smooth surface through the rest of the field',
  surroundings: 'a smooth surface through the rest of the field; the other side has no lung there to compare with',
  missing_field: 'the other side: lung is expected there, and no air is seen',
} as const;

function opacityFinding(look: Look, opacity: Opacity): ImagingFinding {
  const { frame, sideOf, called, doubts } = look;
  const { side, zone, isBasal } = opacity;
  const name = sideOf(side);
  const excess = measure({
    code: 'density_excess',
    name: 'Excess of density',
    value: opacity.density,
    unit: '1',
    deviation: 0.03 + 0.05 * opacity.density,
    side: name,
    method: 'Mean tone above what is expected, over the contrast between lung and mediastinum.',
  });
  const size = measure({
    code: 'area_share',
    name: 'Share of the lung field',
    value: opacity.areaShare,
    unit: '1',
    deviation: 0.2 * opacity.areaShare,
    side: name,
    method: 'Area over that of the lung field as it should be.',
  });
  const lonely = opacity.by === 'surroundings';
  const faint: Doubts = {
    weak_evidence: opacity.density < 0.3 ? 0.5 : 0.2,
    close_alternatives: 0.4,
    sparse_findings: opacity.areaShare < 0.04 ? 0.35 : 0.1,
    unrecognized_input: lonely ? 0.4 : 0,
  };
  // The logit rises with density, significance and size; its constants give 0.5 where alarms on healthy computed
  // films are about as common as faint true opacities.
  const logit =
    -2.6 +
    6 * Math.min(0.6, opacity.density) +
    1.2 * Math.min(1.5, opacity.significance / 8) +
    8 * Math.min(0.12, opacity.areaShare) -
    (lonely ? 0.8 : 0);
  return {
    code: isBasal ? 'basal_opacity' : 'opacity',
    category: isBasal ? 'pleura' : 'lung',
    name: `${isBasal ? 'Opacity at the base' : 'Opacity'}, ${called(side)} ${zone} zone`,
    text: `Over ${percent(opacity.areaShare)} of the lung field the picture is denser by ${percent(opacity.density)} of the contrast between lung and mediastinum than expected. It was compared with ${compared[opacity.by]}.`,
    side: name,
    zone,
    region: regionOf(frame, opacity.mask),
    confidence: confidence(1 / (1 + Math.exp(-logit)), faint),
    doubts: [
      ...doubts,
      isBasal
        ? 'Fluid, collapse, a raised diaphragm and dense lung at the base look alike on one film.'
        : 'Infection, tumour, fluid, collapse, scars and shadows from outside the lung look alike on one film.',
      ...(zone === 'lower' && !isBasal ? ['A breast, a nipple or fat beside the heart can throw such a shadow.'] : []),
    ],
    measures: [excess, size],
    conditions: isBasal
      ? [
          conditionLink('pleural_effusion', 'Fluid collects at the base of an upright patient.'),
          conditionLink('pneumonia', 'Dense lung at the base.'),
          conditionLink('heart_failure', 'A common cause of fluid, more often on both sides or on the right.'),
        ]
      : [
          conditionLink('pneumonia', 'Air spaces filled by infection are dense.'),
          conditionLink('lung_cancer', 'A mass, or the lung behind a blocked airway, is dense.'),
          ...(zone === 'upper' ? [conditionLink('tuberculosis', 'Favours the upper zones.')] : []),
          ...(zone === 'upper' ? [] : [conditionLink('lung_abscess', 'Dense until it drains.')]),
        ],
  };
}

function mediastinumPart(look: Look, { fields }: Upright): Part {
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
  const trachea = findTrachea(fields.tone, anatomy);
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

/** How the stored picture lies against the upright one, and whether left and right may be exchanged. */
function orientationOf(upright: Upright, heart: Heart): ImagingOrientation {
  const { quarterTurns, margin, anatomy } = upright;
  const rotation =
    margin < 0.25
      ? 'cannot_judge'
      : (['none', 'counterclockwise_90', 'half_turn', 'clockwise_90'] as const)[quarterTurns];
  const lean = (heart.reach.right.distance - heart.reach.left.distance) / (anatomy.thorax.right - anatomy.thorax.left);
  const mirrored =
    heart.hidden.length > 0 || Math.abs(lean) < 0.03 || rotation === 'cannot_judge'
      ? 'cannot_judge'
      : lean > 0
        ? 'no'
        : 'suspected';
  const conventional = (['image_left', 'image_bottom', 'image_right', 'image_top'] as const)[quarterTurns];
  const heartText =
    mirrored === 'no'
      ? 'The heart lies more to the side of the picture where it usually does.'
      : mirrored === 'suspected'
        ? 'The heart lies more to the other side than usual: the picture is mirrored, the heart is displaced, or it lies on the right by nature. Sides are therefore not named.'
        : 'The heart does not tell whether left and right are exchanged; sides are named by convention.';
  return {
    rotation,
    mirrored,
    patient_right: mirrored === 'suspected' || rotation === 'cannot_judge' ? 'cannot_judge' : conventional,
    text: `By convention the right of the patient is on the left of an upright film. ${heartText} Markers on the film are not read.`,
  };
}

/** What a film like this can show and this method does not look for. */
const notJudged: readonly ImagingCheck[] = [
  unjudged(
    'pneumothorax',
    'Pneumothorax',
    'The line of the pleura is one or two pixels wide and is lost at the working size; no measure of it has been validated here.',
  ),
  unjudged(
    'nodules',
    'Small nodules',
    'What is smaller than about a fiftieth of a lung field is below what is looked for.',
  ),
  unjudged(
    'hidden_regions',
    'Lung behind the heart and below the domes',
    'It is not seen as air on a frontal film and was not searched.',
  ),
  unjudged(
    'bones',
    'Ribs, clavicles and spine',
    'Bones are not outlined: fractures and other changes are not looked for.',
  ),
  unjudged('devices', 'Tubes, lines and devices', 'They are not looked for; their shadows can be taken for opacities.'),
  unjudged(
    'patient_rotation',
    'Rotation of the patient about the long axis',
    'The ends of the clavicles are not found by this method.',
  ),
  unjudged('inspiration', 'Depth of inspiration', 'Ribs are not counted.'),
];

const limits: readonly string[] = [
  'For frontal films of adults, upright or turned by quarters. Children, lateral, oblique and lordotic views are outside its limits.',
  'Measured on computed films alone; how often it is right on films of patients is not known.',
  'Lengths are those at the detector. Ratios and angles change with view, distance, inspiration and rotation.',
  'Nothing found does not mean that nothing is there.',
];
