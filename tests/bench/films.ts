/**
 * `npm run bench:films`: how often the analysis of chest films is right, on computed films whose truth is known. The
 * seeds are those of no test, and none that a threshold was chosen on; the generator is the same, and no film of a
 * patient is among them. Options: `--films N` of each kind (default 60), `--seed N` of the first film. `--usual` prints
 * the rows of `chest/usual-tones.ts` instead, from healthy films of other seeds.
 */
import { parseArgs } from 'node:util';
import { analyzeImage, prepare } from '@perennial/core/imaging/analysis/analyze.ts';
import { measureAnatomy } from '@perennial/core/imaging/analysis/chest/anatomy.ts';
import { calmTones, grid, tonesOver } from '@perennial/core/imaging/analysis/chest/likeness.ts';
import { findLungFields } from '@perennial/core/imaging/analysis/chest/lung-fields.ts';
import { cropped } from '@perennial/core/imaging/analysis/raster.ts';
import type { GrayImage, StudyContext } from '@perennial/core/imaging/image.ts';
import type { ImagingAnalysis, ImagingFinding, ImagingMeasure } from '@perennial/schemas/resources/imaging-analysis.ts';
import { chestPhantom, type PhantomOpacity, type PhantomOptions, type PhantomTruth } from '../support/chest-phantom.ts';
import { lookalikes, unseenLookalikes } from '../support/lookalikes.ts';
import { notFilms } from '../support/not-films.ts';
import { insidePolygon } from '../support/polygon.ts';
import { type Random, seeded } from '../support/random.ts';

const { values: options } = parseArgs({
  options: {
    films: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7000001' },
    usual: { type: 'boolean', default: false },
  },
});
const FILMS = Number(options.films);
const FIRST_SEED = Number(options.seed);
const HEIGHT_PX = 640;

interface Looked {
  readonly asked: Partial<PhantomOptions>;
  readonly truth: PhantomTruth;
  readonly analysis: ImagingAnalysis;
}

let used = 0;

/** Films of one kind, each of a patient, an exposure and a noise of its own. */
function films(special: (random: Random, index: number) => Partial<PhantomOptions>): Looked[] {
  return Array.from({ length: FILMS }, (_, index) => {
    const seed = FIRST_SEED + used++;
    // A stream of its own, so that exposure and anatomy do not go together.
    const random = seeded(seed ^ 0x5bd1e995);
    const usual = { photons: random.between(8, 60), exposure: random.between(-0.25, 0.25) };
    const asked = { heightPx: HEIGHT_PX, ...usual, ...special(random, index) };
    const { image, truth } = chestPhantom({ seed, ...asked });
    return { asked, truth, analysis: analyzeImage(image, { source: 'png' }) };
  });
}

/** The mean of 80 healthy films by the cells of the grid in which a picture is held against a usual one. */
function usualRows(): string[] {
  const sums = new Float64Array(grid.columns * grid.rows);
  const counts = new Float64Array(sums.length);
  for (let seed = 2_000_001; seed <= 2_000_080; seed++) {
    const random = seeded(seed ^ 0x5bd1e995);
    const usual = { photons: random.between(8, 60), exposure: random.between(-0.25, 0.25) };
    const { small, content } = prepare(chestPhantom({ seed, heightPx: 420, ...usual }).image);
    const fields = findLungFields(cropped(small, content.box));
    if (!fields) continue;
    const anatomy = measureAnatomy(fields);
    for (const [cell, tone] of tonesOver(calmTones(fields, anatomy), anatomy).entries()) {
      if (Number.isNaN(tone)) continue;
      sums[cell]! += tone;
      counts[cell]! += 1;
    }
  }
  const cells = Array.from(sums, (sum, cell) =>
    counts[cell]! >= 20 ? String(Math.round((99 * sum) / counts[cell]!)).padStart(2) : '..',
  );
  return Array.from({ length: grid.rows }, (_, row) =>
    cells.slice(row * grid.columns, (row + 1) * grid.columns).join(' '),
  );
}

const print = (line = ''): void => void process.stdout.write(`${line}\n`);

/** A share with its 95 % interval: E. B. Wilson, Journal of the American Statistical Association 1927. */
function share(count: number, total: number): string {
  if (total === 0) return '0 of 0';
  const z = 1.96;
  const p = count / total;
  const middle = (p + z ** 2 / (2 * total)) / (1 + z ** 2 / total);
  const half = (z * Math.sqrt((p * (1 - p)) / total + z ** 2 / (4 * total ** 2))) / (1 + z ** 2 / total);
  const percent = (value: number): string => `${Math.round(1000 * Math.max(0, value)) / 10}`;
  return `${count} of ${total} (${percent(p)} %, interval ${percent(middle - half)} to ${percent(middle + half)})`;
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(at * (sorted.length - 1))))] ?? Number.NaN;
}

function report(title: string, lines: readonly (readonly [string, string])[]): void {
  print(title);
  for (const [name, value] of lines) print(`  ${name}: ${value}`);
  print();
}

function count(list: readonly Looked[], holds: (each: Looked) => boolean): string {
  return share(list.filter(holds).length, list.length);
}

const isOpacity = ({ code }: ImagingFinding): boolean => code === 'opacity' || code === 'basal_opacity';
const has =
  (code: string) =>
  ({ analysis }: Looked): boolean =>
    analysis.findings.some((each) => each.code === code);

function measured({ analysis }: Looked, code: string, unit: string): ImagingMeasure | undefined {
  return analysis.measures.find((each) => each.code === code && each.unit === unit);
}

/** Error and coverage of one measure, where it was given. */
function accuracy(
  list: readonly Looked[],
  code: string,
  unit: string,
  truthOf: (truth: PhantomTruth) => number,
): [string, string][] {
  const given = list.flatMap((each) => {
    const measure = measured(each, code, unit);
    return measure ? [{ measure, truth: truthOf(each.truth) }] : [];
  });
  const errors = given.map(({ measure, truth }) => measure.value - truth);
  const digits = unit === '1' ? 3 : 1;
  const held = given.filter(
    ({ measure: { interval }, truth }) => interval !== null && interval.low <= truth && truth <= interval.high,
  ).length;
  return [
    [`${code} given`, share(given.length, list.length)],
    [
      `${code} error at 5, 50, 95 %, and the largest`,
      `${[0.05, 0.5, 0.95].map((at) => quantile(errors, at).toFixed(digits)).join(', ')}; ${Math.max(...errors.map(Math.abs)).toFixed(digits)} ${unit === '1' ? '' : unit}`,
    ],
    [
      `${code} mean absolute error`,
      (errors.reduce((sum, each) => sum + Math.abs(each), 0) / errors.length).toFixed(digits),
    ],
    [`${code} interval of 90 % holds the truth`, share(held, given.length)],
  ];
}

/** Whether the middle of the true opacity lies inside the outline of the finding. */
function locates(finding: ImagingFinding, truth: PhantomTruth): boolean {
  return truth.opacities.some(
    ({ side, x, y }) => finding.side === side && insidePolygon(finding.region?.polygon ?? [], x, y),
  );
}

/** How often findings of a confidence were true. */
function calibration(all: readonly { readonly estimate: number; readonly isTrue: boolean }[]): [string, string][] {
  const bounds = [0, 0.5, 0.7, 0.85, 1.01];
  return bounds.slice(1).map((high, index) => {
    const low = bounds[index]!;
    const group = all.filter(({ estimate }) => estimate >= low && estimate < high);
    return [
      `confidence ${low} to ${Math.min(1, high)}: true`,
      share(group.filter(({ isTrue }) => isTrue).length, group.length),
    ];
  });
}

if (options.usual) {
  for (const row of usualRows()) print(row);
  process.exit(0);
}
const started = process.cpuUsage();
const healthy = films(() => ({}));
report('Healthy', [
  ['recognised', count(healthy, ({ analysis }) => analysis.outcome === 'analyzed')],
  ['called upright', count(healthy, ({ analysis }) => analysis.orientation.rotation === 'none')],
  ['called not mirrored', count(healthy, ({ analysis }) => analysis.orientation.mirrored === 'no')],
  ...accuracy(healthy, 'cardiothoracic_ratio', '1', (truth) => truth.cardiothoracicRatio),
  ...accuracy(healthy, 'heart_width', 'mm', (truth) => truth.heartWidthMm),
  ...accuracy(healthy, 'thoracic_width', 'mm', (truth) => truth.thoraxWidthMm),
  ...accuracy(healthy, 'mediastinal_width', 'mm', (truth) => truth.mediastinumWidthMm),
  ['false alarm: opacity', count(healthy, ({ analysis }) => analysis.findings.some(isOpacity))],
  ...[
    'heart_enlarged',
    'costophrenic_angle_blunted',
    'lung_area_asymmetry',
    'lung_density_asymmetry',
    'mediastinum_wide',
    'trachea_deviated',
  ].map((code): [string, string] => [`false alarm: ${code}`, count(healthy, has(code))]),
]);

const wide = films((random) => ({ cardiothoracicRatio: random.between(0.52, 0.66) }));
report('Wide heart, true ratio 0.52 to 0.66', [
  ['recognised', count(wide, ({ analysis }) => analysis.outcome === 'analyzed')],
  ['found', count(wide, has('heart_enlarged'))],
  ['not judged', count(wide, (each) => measured(each, 'cardiothoracic_ratio', '1') === undefined)],
  ...accuracy(wide, 'cardiothoracic_ratio', '1', (truth) => truth.cardiothoracicRatio),
  ['false alarm: opacity', count(wide, ({ analysis }) => analysis.findings.some(isOpacity))],
  ['false alarm: blunted angle', count(wide, has('costophrenic_angle_blunted'))],
]);

const fluid = films((random, index) => ({
  effusion: { side: index % 2 === 0 ? 'left' : 'right', levelMm: random.between(25, 120) },
}));
const pleural = ({ asked, analysis }: Looked, isOwn: boolean): ImagingFinding[] =>
  analysis.findings.filter(
    ({ code, side }) =>
      (code === 'costophrenic_angle_blunted' || code === 'basal_opacity') && (side === asked.effusion?.side) === isOwn,
  );
const level = (from: number, to: number): Looked[] =>
  fluid.filter(({ asked }) => asked.effusion!.levelMm >= from && asked.effusion!.levelMm < to);
report('Effusion, surface 25 to 120 mm above the angle', [
  ['recognised', count(fluid, ({ analysis }) => analysis.outcome === 'analyzed')],
  ['found on its side', count(fluid, (each) => pleural(each, true).length > 0)],
  ...(
    [
      [25, 50],
      [50, 85],
      [85, 120],
    ] as const
  ).map(([from, to]): [string, string] => [
    `found, ${from} to ${to} mm`,
    count(level(from, to), (each) => pleural(each, true).length > 0),
  ]),
  ['false alarm on the other side', count(fluid, (each) => pleural(each, false).length > 0)],
  ...accuracy(fluid, 'cardiothoracic_ratio', '1', (truth) => truth.cardiothoracicRatio),
]);

const dense = films((random, index) => {
  const opacity: PhantomOpacity = {
    side: index % 2 === 0 ? 'left' : 'right',
    across: random.between(0.25, 0.8),
    down: random.between(0.15, 0.85),
    radiusMm: random.between(18, 36),
    waterMm: random.between(35, 80),
  };
  return { opacities: [opacity] };
});
report('One opacity, radius 18 to 36 mm, 35 to 80 mm of water', [
  ['recognised', count(dense, ({ analysis }) => analysis.outcome === 'analyzed')],
  ['any opacity reported', count(dense, ({ analysis }) => analysis.findings.some(isOpacity))],
  [
    'reported on its side',
    count(dense, ({ analysis, truth }) =>
      analysis.findings.some((each) => isOpacity(each) && each.side === truth.opacities[0]!.side),
    ),
  ],
  [
    'located: its middle lies inside the outline',
    count(dense, ({ analysis, truth }) => analysis.findings.some((each) => isOpacity(each) && locates(each, truth))),
  ],
  [
    'false alarm elsewhere',
    count(dense, ({ analysis, truth }) => analysis.findings.some((each) => isOpacity(each) && !locates(each, truth))),
  ],
  ['false alarm: heart', count(dense, has('heart_enlarged'))],
  ...accuracy(dense, 'cardiothoracic_ratio', '1', (truth) => truth.cardiothoracicRatio),
]);

report('Confidence of opacities against how often they were true, healthy films and films with one opacity', [
  ...calibration(
    [...healthy, ...dense].flatMap(({ analysis, truth }) =>
      analysis.findings
        .filter(isOpacity)
        .map((each) => ({ estimate: each.confidence.estimate, isTrue: locates(each, truth) })),
    ),
  ),
]);

const turns = films((_, index) => ({ quarterTurns: ([1, 2, 3] as const)[index % 3]! }));
const rotations = { 0: 'none', 1: 'clockwise_90', 2: 'half_turn', 3: 'counterclockwise_90' } as const;
report('Turned by 90, 180 or 270 degrees', [
  ['recognised', count(turns, ({ analysis }) => analysis.outcome === 'analyzed')],
  [
    'turn named rightly',
    count(turns, ({ asked, analysis }) => analysis.orientation.rotation === rotations[asked.quarterTurns!]),
  ],
  ...accuracy(turns, 'cardiothoracic_ratio', '1', (truth) => truth.cardiothoracicRatio),
]);

const mirrored = films(() => ({ isMirrored: true }));
report('Mirrored', [
  ['suspected', count(mirrored, ({ analysis }) => analysis.orientation.mirrored === 'suspected')],
  ['called not mirrored', count(mirrored, ({ analysis }) => analysis.orientation.mirrored === 'no')],
]);

/** How many pictures of these kinds are taken for a chest, with no header and with one that says chest. */
function others(title: string, kinds: Readonly<Record<string, (seed: number) => GrayImage>>, each = FILMS): void {
  const pictures = Object.entries(kinds).flatMap(([name, make]) =>
    make.length === 0
      ? [{ name, image: make(0) }]
      : Array.from({ length: each }, () => ({ name, image: make(FIRST_SEED + used++) })),
  );
  const taken = (context: StudyContext): string => {
    const wrong = pictures.filter(({ image }) => analyzeImage(image, context).outcome === 'analyzed');
    const names = [...new Set(wrong.map(({ name }) => name))].join(', ');
    return `${share(wrong.length, pictures.length)}${names && `: ${names}`}`;
  };
  report(title, [
    ['taken for a chest, nothing known', taken({ source: 'png' })],
    ['taken for a chest, header says chest', taken({ source: 'dicom', modality: 'DX', bodyPart: 'CHEST' })],
  ]);
}
others('Not a film', notFilms);
others('Something of a chest in it, kinds on which the signs were chosen', lookalikes, Math.ceil(FILMS / 3));
others('Something of a chest in it, kinds that were held out', unseenLookalikes, Math.ceil(FILMS / 3));
const { user, system } = process.cpuUsage(started);
print(`${used} pictures in ${Math.round((user + system) / 1e6)} s of CPU`);
