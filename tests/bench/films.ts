/**
 * `npm run bench:films -- --films FOLDER`: how often the analysis is right on films of patients that no training has
 * seen, through the whole of it, and how often it takes other pictures for a chest. Options: `--most N` films of each
 * group (all), `--each N` computed pictures of each kind (20), `--seed N` of the first (7000001).
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { analyzeImage } from '@perennial/core/imaging/analysis/analyze.ts';
import { loadFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model.ts';
import { readFilmModel } from '@perennial/core/imaging/analysis/film-model/film-model-file.ts';
import { mirrored, turned } from '@perennial/core/imaging/analysis/raster.ts';
import type { GrayImage, StudyContext } from '@perennial/core/imaging/image.ts';
import { grayOf, openPicture } from '@perennial/core/imaging/picture.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import { chestPhantom } from '../support/chest-phantom.ts';
import { type PatientFilm, testFilms } from '../support/film-set.ts';
import { lookalikes, unseenLookalikes } from '../support/lookalikes.ts';
import { notFilms } from '../support/not-films.ts';
import { type Random, seeded } from '../support/random.ts';

const { values: options } = parseArgs({
  options: {
    films: { type: 'string' },
    most: { type: 'string', default: '100000' },
    each: { type: 'string', default: '20' },
    seed: { type: 'string', default: '7000001' },
  },
});
const model = await loadFilmModel(await readFilmModel());
const print = (line = ''): void => void process.stdout.write(`${line}\n`);

interface Looked {
  readonly film: PatientFilm;
  readonly analysis: ImagingAnalysis;
  /** Of the processor. */
  readonly tookMs: number;
}

async function look(image: GrayImage, context: StudyContext): Promise<ImagingAnalysis> {
  return analyzeImage(image, context, async () => model);
}

async function lookAt(films: readonly PatientFilm[], change: (image: GrayImage) => GrayImage): Promise<Looked[]> {
  const all: Looked[] = [];
  for (const film of films) {
    const image = change(grayOf(await openPicture(readFileSync(film.file)), 0));
    const from = process.cpuUsage();
    const analysis = await look(image, { source: 'jpeg' });
    const { user, system } = process.cpuUsage(from);
    all.push({ film, analysis, tookMs: (user + system) / 1000 });
  }
  return all;
}

/** A share with its 95 % interval: E. B. Wilson, Journal of the American Statistical Association 1927. */
function share(count: number, total: number): string {
  if (total === 0) return '0 of 0';
  const z = 1.96;
  const p = count / total;
  const middle = (p + z ** 2 / (2 * total)) / (1 + z ** 2 / total);
  const half = (z * Math.sqrt((p * (1 - p)) / total + z ** 2 / (4 * total ** 2))) / (1 + z ** 2 / total);
  const shown = (value: number): string => Math.min(1, Math.max(0, value)).toFixed(3);
  return `${count} of ${total} (${shown(p)}; ${shown(middle - half)} to ${shown(middle + half)})`;
}

const opacityOf = ({ analysis }: Looked): number =>
  analysis.measures.find(({ code }) => code === 'opacity_probability')?.value ?? Number.NaN;

/** How often a film with an opacity has the higher score of two; halves for equal ones. */
function rankingOf(looked: readonly Looked[]): number {
  const scores = (isIll: boolean): number[] => looked.filter(({ film }) => film.hasOpacity === isIll).map(opacityOf);
  const [ill, well] = [scores(true), scores(false).sort((a, b) => a - b)];
  let wins = 0;
  for (const score of ill) for (const other of well) wins += score > other ? 1 : score === other ? 0.5 : 0;
  return wins / (ill.length * well.length);
}

/** With its 95 % interval over samples of patients. */
function ranking(looked: readonly Looked[]): string {
  const random = seeded(11);
  const byPatient = Map.groupBy(looked, ({ film }) => film.patient);
  const patients = [...byPatient.values()];
  const found = Array.from({ length: 300 }, () =>
    rankingOf(patients.flatMap(() => patients[Math.floor(random.next() * patients.length)]!)),
  ).sort((a, b) => a - b);
  return `${rankingOf(looked).toFixed(3)} (${found[7]!.toFixed(3)} to ${found[292]!.toFixed(3)})`;
}

/** Mean distance between how sure and how often right, in ten bins. */
function calibrationError(looked: readonly Looked[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inside = looked.filter((each) => Math.min(9, Math.floor(10 * opacityOf(each))) === bin);
    const sure = inside.reduce((sum, each) => sum + opacityOf(each), 0);
    error += Math.abs(sure - inside.filter(({ film }) => film.hasOpacity).length);
  }
  return error / looked.length;
}

function counted(codes: readonly string[], total: number): string {
  const counts = Map.groupBy(codes, (code) => code);
  return [...counts].map(([code, { length }]) => `${code} ${share(length, total)}`).join('; ') || 'none';
}

function reportFilms(population: string, looked: readonly Looked[]): void {
  const taken = looked.filter(({ analysis }) => analysis.outcome === 'analyzed');
  const judged = taken.filter((each) => !Number.isNaN(opacityOf(each)));
  const well = taken.filter(({ film }) => !film.hasOpacity);
  const times = looked.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  print(`Films of ${population}: ${looked.length} of ${new Set(looked.map(({ film }) => film.patient)).size} patients`);
  print(`  recognised: ${share(taken.length, looked.length)}`);
  print(`  upright and not mirrored: ${share(taken.filter((each) => lies(each, 'none', 'no')).length, looked.length)}`);
  print(`  judged: ${share(judged.length, looked.length)}`);
  print(`  ranking of films with an opacity above those without (AUC): ${ranking(judged)}`);
  print(`  error of calibration, ten bins: ${calibrationError(judged).toFixed(3)}`);
  print(`  measured: ${share(taken.filter(({ analysis }) => analysis.structures.length > 0).length, looked.length)}`);
  const ratios = taken.flatMap(({ analysis, film }) =>
    analysis.measures
      .filter(({ code }) => code === 'cardiothoracic_ratio' && !film.hasOpacity)
      .map(({ value }) => value),
  );
  print(
    `  ratio where measured, healthy: ${ratios
      .sort((a, b) => a - b)
      .map((value) => value.toFixed(2))
      .join(' ')}`,
  );
  const alarms = well.flatMap(({ analysis }) => [...new Set(analysis.findings.map(({ code }) => code))]);
  print(`  findings on films without an opacity: ${counted(alarms, well.length)}`);
  print(
    `  time: median ${times[times.length >> 1]?.toFixed(0)} ms, 95 % ${times[Math.floor(0.95 * times.length)]?.toFixed(0)} ms`,
  );
}

function lies({ analysis: { orientation } }: Looked, rotation: string, exchanged: string): boolean {
  return orientation.rotation === rotation && orientation.mirrored === exchanged;
}

function changed(image: GrayImage, turns: 0 | 1 | 2 | 3, isMirrored: boolean, isInverted: boolean): GrayImage {
  const source = { width: image.width, height: image.height, data: image.pixels };
  const { width, height, data } = turned(isMirrored ? mirrored(source) : source, turns);
  return {
    ...image,
    width,
    height,
    pixels: isInverted ? data.map((tone) => image.minimum + image.maximum - tone) : data,
  };
}

const rotations = ['none', 'clockwise_90', 'half_turn', 'counterclockwise_90'] as const;

if (options.films !== undefined) {
  const films = testFilms(options.films);
  for (const population of ['child', 'adult'] as const) {
    const group = films.filter((film) => film.population === population);
    const stride = Math.max(1, Math.ceil(group.length / Number(options.most)));
    const some = group.filter((_, index) => index % stride === 0);
    reportFilms(population, await lookAt(some, (image) => image));
    const few = some.filter((_, index) => index % 4 === 0);
    for (const [turns, isMirrored, isInverted] of [
      [1, false, false],
      [2, false, true],
      [3, true, false],
      [0, true, false],
    ] as const) {
      const looked = await lookAt(few, (image) => changed(image, turns, isMirrored, isInverted));
      const right = looked.filter((each) => lies(each, rotations[turns], isMirrored ? 'suspected' : 'no'));
      const taken = looked.filter(({ analysis }) => analysis.outcome === 'analyzed');
      const turnedRight = looked.filter(({ analysis }) => analysis.orientation.rotation === rotations[turns]);
      print(
        `  turned ${turns}${isMirrored ? ', mirrored' : ''}${isInverted ? ', inverted' : ''}: recognised ${share(taken.length, few.length)}, turn right ${share(turnedRight.length, few.length)}, turn and sides right ${share(right.length, few.length)}`,
      );
    }
  }
}

let seed = Number(options.seed);
const others = Object.entries<(seed: number) => GrayImage>({ ...notFilms, ...lookalikes, ...unseenLookalikes });
const wrong: string[] = [];
let drawn = 0;
for (const [name, make] of others)
  for (let index = 0; index < (make.length === 0 ? 1 : Number(options.each)); index++) {
    drawn += 1;
    if ((await look(make(seed++), { source: 'png' })).outcome === 'analyzed') wrong.push(name);
  }
print(
  `Computed pictures of other things taken for a chest: ${share(wrong.length, drawn)}: ${counted(wrong, Number(options.each))}`,
);

/** A film of a computed patient: exposure and noise of a stream of their own. */
function phantom(random: Random): ReturnType<typeof chestPhantom> {
  return chestPhantom({
    seed: seed++,
    heightPx: 400,
    photons: random.between(8, 60),
    exposure: random.between(-0.25, 0.25),
  });
}
const errors: number[] = [];
const random = seeded(Number(options.seed) ^ 0x5bd1e995);
for (let index = 0; index < Number(options.each); index++) {
  const { image, truth } = phantom(random);
  const { measures } = await look(image, { source: 'png' });
  const ratio = measures.find(({ code }) => code === 'cardiothoracic_ratio');
  if (ratio) errors.push(ratio.value - truth.cardiothoracicRatio);
}
const mean = errors.reduce((sum, each) => sum + Math.abs(each), 0) / errors.length;
print(`Computed chest films: ratio given ${share(errors.length, Number(options.each))}, mean error ${mean.toFixed(3)}`);
