import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A film of a patient, with what its source says of it. */
export interface PatientFilm {
  readonly file: string;
  readonly population: 'child' | 'adult';
  readonly patient: string;
  readonly hasOpacity: boolean;
  /** PA, AP, or nothing. */
  readonly view: string;
}

/** Shares of the patients that are kept apart; `tests/training/imaging/films.py` has the same. */
const shares = { child: { tune: 0.1, test: 0.15 }, adult: { tune: 0.12, test: 0.25 } } as const;

/** The films of patients that no training has seen. @param folder as its README describes. */
export function testFilms(folder: string): readonly PatientFilm[] {
  return [...childFilms(folder), ...adultFilms(folder)].filter(
    ({ population, patient }) => partOf(population, patient) === 'test',
  );
}

function partOf(population: PatientFilm['population'], patient: string): 'train' | 'tune' | 'test' {
  const hash = createHash('sha256').update(`perennial-films-1|${population}|${patient}`).digest('hex');
  const share = Number.parseInt(hash.slice(0, 12), 16) / 16 ** 12;
  const { tune, test } = shares[population];
  return share < test ? 'test' : share < test + tune ? 'tune' : 'train';
}

function childFilms(folder: string): readonly PatientFilm[] {
  return (['normal', 'pneumonia'] as const).flatMap((kind) =>
    readdirSync(path.join(folder, 'children', kind)).map((name): PatientFilm => {
      const number = /^person(\d+)_|^(?:NORMAL2-)?IM-(\d+)/.exec(name);
      if (!number) throw new Error('a name of a file that names no patient');
      const patient = number[1] === undefined ? `IM-${Number(number[2])}` : `person${Number(number[1])}`;
      const file = path.join(folder, 'children', kind, name);
      return { file, population: 'child', patient, hasOpacity: kind === 'pneumonia', view: '' };
    }),
  );
}

function adultFilms(folder: string): readonly PatientFilm[] {
  const [, ...rows] = readFileSync(path.join(folder, 'adults.csv'), 'utf8').trim().split(/\r?\n/);
  return rows.map((row): PatientFilm => {
    // No field before the view has a comma in it.
    const [file = '', patient = '', label, , , , view = ''] = row.split(',');
    return { file: path.join(folder, file), population: 'adult', patient, hasOpacity: label === 'pneumonia', view };
  });
}
