import type { ImagingAnalyzer } from '@perennial/schemas/resources/imaging-analysis.ts';
import type { GrayImage, StudyContext } from '../../image.ts';
import { ModelFault } from '../model/model-file.ts';
import { openSession, type Session } from '../model/session.ts';
import type { FilmJudgement, FilmLook, FilmPosition } from './film-look.ts';
import type { Calibration, FilmModelFile, FilmModelMetadata } from './film-model-file.ts';
import { squareOf, uprightOf } from './sample.ts';

/** The model that knows chest films, ready to be asked. */
export interface FilmModel {
  /** Its networks, as results name them. */
  readonly about: readonly ImagingAnalyzer[];
  look(image: GrayImage, context: StudyContext): Promise<FilmLook>;
  close(): Promise<void>;
}

/** Below this age the calibration of children is used. */
const ADULT_YEARS = 16;
const INPUT = 'image';
/** Numbers that the recogniser gives: chest, eight positions, tones exchanged, anteroposterior, child. */
const RECOGNISED = 12;

/** @throws ModelFault when a network cannot be run. */
export async function loadFilmModel({ metadata, recogniser, judge }: FilmModelFile): Promise<FilmModel> {
  const recognising = await openSession(metadata.recogniser.file, recogniser);
  const judging = await openSession(metadata.judge.file, judge);
  return {
    about: aboutOf(metadata),
    look: (image, context) => look(metadata, recognising, judging, image, context),
    close: async () => {
      await recognising.close();
      await judging.close();
    },
  };
}

function aboutOf({ version, recogniser, judge }: FilmModelMetadata): readonly ImagingAnalyzer[] {
  const kind = 'trained_model';
  return [
    {
      id: 'chest-film-recogniser',
      name: 'Recogniser of frontal chest films',
      version,
      kind,
      sha256: recogniser.sha256,
    },
    { id: 'chest-film-judge', name: 'Judge of opacities in chest films', version, kind, sha256: judge.sha256 },
  ];
}

async function look(
  { recogniser, judge }: FilmModelMetadata,
  recognising: Session,
  judging: Session,
  image: GrayImage,
  context: StudyContext,
): Promise<FilmLook> {
  const small = squareOf(image, recogniser.side);
  const results = await recognising.run(INPUT, small, recogniser.side, recogniser.side);
  const scores = needed(results.get('scores'), RECOGNISED);
  const chest = calibrated(scores[0]!, recogniser.calibration);
  const { position, turned, mirrored } = positionOf(scores.subarray(1, 9));
  const inverted = logistic(scores[9]!);
  const saysChest = /CHEST|THORAX|LUNG/i.test(context.bodyPart ?? '');
  const isChest = chest >= (saysChest ? recogniser.thresholdWithHeader : recogniser.threshold);
  const child =
    context.patientAgeYears === undefined ? logistic(scores[11]!) : context.patientAgeYears < ADULT_YEARS ? 1 : 0;
  const seen = { chest, isChest, position, turned, mirrored, inverted, anteroposterior: logistic(scores[10]!), child };
  if (!isChest) return { ...seen, judged: undefined };
  const upright = uprightOf(squareOf(image, judge.side), position, inverted > 0.5);
  return { ...seen, judged: judgementOf(judge, await judging.run(INPUT, upright, judge.side, judge.side), child) };
}

/** The likeliest of the eight positions by what it says of the turn and of the sides, each over the other. */
function positionOf(scores: Float32Array): { position: FilmPosition; turned: number; mirrored: number } {
  const highest = Math.max(...scores);
  const weights = Array.from(scores, (score) => Math.exp(score - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const turns = [0, 1, 2, 3].map((turn) => (weights[turn]! + weights[turn + 4]!) / total);
  const turned = Math.max(...turns);
  const quarterTurns = turns.indexOf(turned) as FilmPosition['quarterTurns'];
  const mirrored = weights.slice(4).reduce((sum, weight) => sum + weight, 0) / total;
  return { position: { quarterTurns, isMirrored: mirrored > 0.5 }, turned, mirrored };
}

function judgementOf(
  { calibration, distanceMax, placeShare }: FilmModelMetadata['judge'],
  results: ReadonlyMap<string, Float32Array>,
  child: number,
): FilmJudgement {
  const [score] = needed(results.get('scores'), 1);
  const [distance] = needed(results.get('distance'), 1);
  const map = results.get('map');
  const mapSide = Math.round(Math.sqrt(map?.length ?? 0));
  if (!map || mapSide === 0 || mapSide ** 2 !== map.length) throw new ModelFault('the judge gave no map');
  const opacity = child * calibrated(score!, calibration.child) + (1 - child) * calibrated(score!, calibration.adult);
  const mean = map.reduce((sum, each) => sum + each, 0) / map.length;
  const placeFrom = mean + placeShare * (Math.max(...map) - mean);
  return { opacity, map, mapSide, distance: distance!, distanceMax, placeFrom };
}

function needed(values: Float32Array | undefined, least: number): Float32Array {
  if (!values || values.length < least || values.some(Number.isNaN))
    throw new ModelFault('a network gave other results than were expected of it');
  return values;
}

function calibrated(score: number, { slope, offset }: Calibration): number {
  return logistic(slope * score + offset);
}

function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score));
}
