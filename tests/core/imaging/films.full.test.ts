import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ImagingAnalysisAnswer, ImagingStudy } from '@perennial/schemas/resources/imaging.ts';
import type { ImagingAnalysis } from '@perennial/schemas/resources/imaging-analysis.ts';
import sharp from 'sharp';
import { startCore, type TestCore } from '../../support/core.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { grayDicom } from '../../support/dicom.ts';
import { type PatientFilm, testFilms } from '../../support/film-set.ts';

/*
 * Films of patients are no part of the project: `FILMS` names a folder of them, as tests/training/imaging/README.md
 * says. The bounds are the goals for films that the model never saw, less what so few films can differ by.
 */
const folder = process.env['FILMS'];
const given = folder === undefined ? describe.skip : describe;
const MOST = { child: 100, adult: 130 };

given('films of patients that no training has seen (skipped unless FILMS names a folder of them)', () => {
  let database: TestDatabase;
  let core: TestCore;
  const looked: { readonly film: PatientFilm; readonly analysis: ImagingAnalysis }[] = [];

  beforeAll(async () => {
    database = await freshDatabase();
    core = await startCore(database.url);
    for (const population of ['child', 'adult'] as const) {
      const group = testFilms(folder!).filter((film) => film.population === population);
      const stride = Math.ceil(group.length / MOST[population]);
      for (const film of group.filter((_, index) => index % stride === 0))
        looked.push({ film, analysis: await analyze(readFileSync(film.file)) });
    }
  }, 600_000);
  afterAll(async () => {
    await core.stop();
    await database.close();
  });

  async function analyze(body: Buffer, question: object = {}): Promise<ImagingAnalysis> {
    const headers = { 'content-type': 'application/octet-stream' };
    const { data: study } = await core.call<ImagingStudy>('POST', '/imaging/studies', { body, headers });
    const { data, text } = await core.call<ImagingAnalysisAnswer>('POST', `/imaging/studies/${study.id}/analyze`, {
      body: question,
    });
    const analysis = data?.result?.imaging?.analysis;
    if (!analysis) throw new Error(text);
    return analysis;
  }

  const opacity = ({ measures }: ImagingAnalysis): number =>
    measures.find(({ code }) => code === 'opacity_probability')?.value ?? Number.NaN;
  const of = (population: PatientFilm['population']): typeof looked =>
    looked.filter(({ film }) => film.population === population);
  const taken = (population: PatientFilm['population']): typeof looked =>
    of(population).filter(({ analysis }) => analysis.outcome === 'analyzed');

  test.each([
    ['child', 0.97],
    ['adult', 0.95],
  ] as const)('of a %s are recognised as they lie', (population, least) => {
    expect(taken(population).length / of(population).length).toBeGreaterThanOrEqual(least);
    const upright = taken(population).filter(({ analysis: { orientation } }) => orientation.rotation === 'none');
    expect(upright.length / of(population).length).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ['child', 0.95],
    ['adult', 0.75],
  ] as const)('of a %s with an opacity come before those without', (population, least) => {
    const scores = (isIll: boolean): number[] =>
      taken(population)
        .filter(({ film }) => film.hasOpacity === isIll)
        .map(({ analysis }) => opacity(analysis))
        .filter((score) => !Number.isNaN(score));
    const [ill, well] = [scores(true), scores(false)];
    const wins: number[] = ill.flatMap((score) => well.map((other) => (score > other ? 1 : score === other ? 0.5 : 0)));
    expect(wins.reduce((sum, win) => sum + win, 0) / wins.length).toBeGreaterThanOrEqual(least);
  });

  test('in a DICOM file, or as a PNG, are judged as the JPEG is', async () => {
    for (const { film, analysis } of [...of('child').slice(0, 3), ...of('adult').slice(0, 3)]) {
      const gray = sharp(readFileSync(film.file)).greyscale();
      const { data, info } = await gray.raw().toBuffer({ resolveWithObject: true });
      const uid = `1.8.7.${looked.findIndex((each) => each.film === film)}`;
      const file = grayDicom(info.height, info.width, [...data], {
        '00080060 CS': 'DX',
        '00180015 CS': 'CHEST',
        '0020000D UI': uid,
        '0020000E UI': `${uid}.1`,
        '00080018 UI': `${uid}.1.1`,
      });
      const asPng = await analyze(
        await sharp(data, { raw: { ...info, channels: 1 } })
          .png()
          .toBuffer(),
      );
      expect(opacity(asPng)).toBeCloseTo(opacity(analysis), 2);
      expect(opacity(await analyze(file))).toBeCloseTo(opacity(analysis), 2);
    }
  }, 60_000);
});
