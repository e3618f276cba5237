import type { Database } from '@perennial/prisma/client.ts';
import { createRandom } from '@perennial/prisma/demo/random.ts';

/** A made-up account whose every answer the tests work out by themselves. */
export interface Person {
  readonly id: string;
  readonly dob: string;
  readonly sex: string | null;
  readonly email: string | null;
  readonly records: readonly Entry[];
}

export interface Entry {
  readonly type: string;
  readonly status: string;
  readonly system: string;
  readonly code: string;
  readonly at: string;
  readonly content: { readonly value?: string; readonly unit?: string; readonly [name: string]: unknown };
}

export const ICD10 = 'http://hl7.org/fhir/sid/icd-10';
export const LOINC = 'http://loinc.org';
export const ATC = 'http://www.whocc.no/atc';

const CODES = ['I10', 'E11.9', 'E11.2', 'J44.9', 'I50.9', 'N18.3', 'C61', 'C79.5', 'K70.3', 'I85.0', 'M54.5'];

/** People with records, the same for the same seed. */
export function drawPeople(count: number, seed: number): readonly Person[] {
  const random = createRandom(seed);
  const day = (from: number, until: number): string =>
    new Date(Date.UTC(random.between(from, until), random.below(12), random.between(1, 28), random.below(24)))
      .toISOString()
      .replace('.000', '');
  return Array.from({ length: count }, (_, index) => {
    const records: Entry[] = [];
    for (const [at, code] of CODES.entries()) {
      if (!random.chance(at < 2 ? 0.4 : 0.12)) continue;
      const status = random.weighted([
        ['active', 8],
        ['resolved', 1],
        ['entered_in_error', 1],
      ]);
      records.push({ type: 'condition', status, system: ICD10, code, at: day(2019, 2022), content: {} });
      if (random.chance(0.2))
        records.push({ type: 'condition', status: 'active', system: ICD10, code, at: day(2020, 2022), content: {} });
    }
    for (let at = random.below(5); at > 0; at -= 1) {
      const value = random.normal(8, 1.5).toFixed(1);
      const content = { value, unit: '%' };
      records.push({
        type: 'observation',
        status: 'final',
        system: LOINC,
        code: '4548-4',
        at: day(2021, 2022),
        content,
      });
    }
    for (let at = random.below(3); at > 0; at -= 1) {
      const parts = [
        { code: '8480-6', value: String(Math.round(random.normal(138, 12))), unit: 'mm[Hg]' },
        { code: '8462-4', value: String(Math.round(random.normal(86, 8))), unit: 'mm[Hg]' },
      ];
      const content = { components: parts };
      records.push({
        type: 'observation',
        status: 'final',
        system: LOINC,
        code: '85354-9',
        at: day(2021, 2022),
        content,
      });
    }
    return {
      id: `pat_an${seed}x${String(index).padStart(6, '0')}`,
      dob: day(1925, 2018).slice(0, 10),
      sex: random.weighted<string | null>([
        ['female', 50],
        ['male', 44],
        ['other', 2],
        [null, 4],
      ]),
      email: random.chance(0.7) ? `p${index}@example.org` : null,
      records,
    };
  });
}

/** Writes people and their records. */
export async function store(db: Database, accountId: string, people: readonly Person[]): Promise<void> {
  await db.patient.createMany({
    data: people.map(({ id, dob, sex, email }) => ({ id, accountId, name: id, dob: new Date(dob), sex, email })),
  });
  await db.medicalRecord.createMany({
    data: people.flatMap((person) =>
      person.records.map(({ type, status, system, code, at, content }, index) => ({
        id: `rec_${person.id.slice(4)}r${index}`,
        accountId,
        patientId: person.id,
        type,
        status,
        code: { system, code, display: `display of ${code}` },
        content: content as object,
        effectiveAt: new Date(at),
      })),
    ),
  });
}
