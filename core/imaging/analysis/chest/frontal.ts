import type {
  ImagingCheck,
  ImagingFinding,
  ImagingMeasure,
  ImagingOrientation,
} from '@perennial/schemas/resources/imaging-analysis.ts';
import type { StudyContext } from '../../image.ts';
import type { Analyzer, Fit, Prepared, Reading, Refusal } from '../analyzer.ts';
import { calibratedConfidence } from '../confidence.ts';
import type { FilmLook } from '../film-model/film-look.ts';
import { measure } from '../measure.ts';
import { geometryOf } from './geometry.ts';
import { opacityOf } from './opacity.ts';
import { percent, unjudged } from './report.ts';

/** Below this the network does not know which way up the film is. */
const SURE_TURN = 0.6;
/** Between these it does not know whether left and right are exchanged. */
const UNSURE_MIRROR = [0.35, 0.65] as const;

/** Frontal chest films, recognised and judged by the model, measured by image processing where its signs are met. */
export const frontalChest: Analyzer = {
  about: {
    id: 'chest-frontal',
    name: 'Frontal chest film: learnt judgement, measured geometry',
    version: '2.0.0',
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

function analyze(prepared: Prepared, context: StudyContext, look: FilmLook): Reading | Refusal {
  const saysChest = /CHEST|THORAX|LUNG/.test(context.bodyPart?.toUpperCase() ?? '');
  const basis = saysChest ? 'header_and_pixels' : 'pixels';
  const evidence = [
    `${look.isChest ? 'for' : 'against'}: the recogniser, which learnt from films of patients and from other pictures, gives ${percent(look.chest)} that this is a frontal chest film`,
  ];
  if (!look.isChest || !look.judged)
    return {
      refusal: saysChest
        ? {
            code: 'quality_too_low',
            text: 'The header names the chest, but the picture is not recognised as a frontal film of one: another view, a cut-off picture, or poor exposure.',
          }
        : {
            code: 'not_recognized',
            text: 'Nothing says what the picture shows, and it does not look enough like a frontal chest film.',
          },
      subject: { kind: 'not_recognized', basis, confidence: calibratedConfidence(look.chest, {}), evidence },
    };
  const opacity = opacityOf(prepared.image, look, look.judged, context);
  const geometry = geometryOf(prepared, look, context);
  const findings = [...opacity.findings, ...geometry.findings, ...invertedFinding(look)];
  return {
    subject: {
      kind: 'chest_frontal',
      basis,
      confidence: calibratedConfidence(look.chest, {}),
      evidence: [...evidence, ...geometry.evidence],
    },
    orientation: orientationOf(look),
    structures: geometry.structures,
    measures: [...opacity.measures, ...viewMeasures(look), ...geometry.measures],
    findings: findings.sort((a, b) => b.confidence.estimate - a.confidence.estimate),
    checks: [...opacity.checks, ...geometry.checks, ...notJudged],
    limits,
  };
}

/** How the stored picture lies against the upright one, and whether left and right may be exchanged. */
function orientationOf({ position, turned, mirrored }: FilmLook): ImagingOrientation {
  const { quarterTurns } = position;
  const isTurnKnown = turned >= SURE_TURN;
  const exchanged =
    !isTurnKnown || (mirrored > UNSURE_MIRROR[0] && mirrored < UNSURE_MIRROR[1])
      ? 'cannot_judge'
      : position.isMirrored
        ? 'suspected'
        : 'no';
  return {
    rotation: isTurnKnown
      ? (['none', 'clockwise_90', 'half_turn', 'counterclockwise_90'] as const)[quarterTurns]
      : 'cannot_judge',
    mirrored: exchanged,
    patient_right:
      exchanged === 'no'
        ? (['image_left', 'image_top', 'image_right', 'image_bottom'] as const)[quarterTurns]
        : 'cannot_judge',
    text: `By convention the right of the patient is on the left of an upright film. The recogniser gives ${percent(turned)} that the film lies so, and ${percent(mirrored)} that left and right are exchanged. ${exchanged === 'no' ? '' : 'Either they were, or the heart is displaced or lies on the right by nature: sides are therefore not named. '}Markers on the film are not read.`,
  };
}

/** Learnt from adults: of children there were films of one view alone. */
function viewMeasures({ anteroposterior, child }: FilmLook): readonly ImagingMeasure[] {
  if (child >= 0.5) return [];
  return [
    measure({
      code: 'anteroposterior_probability',
      name: 'Probability that the film is anteroposterior',
      value: anteroposterior,
      unit: '1',
      digits: 6,
      method: 'By the recogniser, from the pixels alone; the view of the header is not changed by it.',
    }),
  ];
}

function invertedFinding({ inverted }: FilmLook): readonly ImagingFinding[] {
  if (inverted <= 0.5) return [];
  return [
    {
      code: 'tones_inverted',
      category: 'technique',
      name: 'Black and white exchanged',
      text: 'The lungs are bright and the bones dark. The film was judged as if its tones were the usual ones.',
      side: null,
      zone: null,
      region: null,
      confidence: calibratedConfidence(inverted, { close_alternatives: 0.2 }),
      doubts: [],
      measures: [],
      conditions: [],
    },
  ];
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
  'For frontal films of children and adults, upright, turned by quarters or mirrored. Lateral, oblique and lordotic views are outside its limits.',
  'Learnt from films of two hospitals: children of one to five in Guangzhou, adults in Bethesda whose labels were read out of reports by a program and are partly wrong. How often it is right elsewhere is not known; the model card has the figures.',
  'Lengths are those at the detector. Ratios and angles change with view, distance, inspiration and rotation; their limits come from computed films.',
  'Nothing found does not mean that nothing is there.',
];
