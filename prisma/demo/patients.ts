import { randomBase62 } from '@perennial/schemas/platform/base62.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import { Prisma } from '../client.ts';
import { DEMO_TODAY, drawHistory } from './history.ts';
import { drawName } from './names.ts';
import { createRandom, type Random } from './random.ts';

export interface DemoData {
  /** In the order of their creation. The first has every optional field set. */
  patients: Prisma.PatientCreateManyInput[];
  records: Prisma.MedicalRecordCreateManyInput[];
}

/** Ages of a population that has a few more middle-aged people than young and old: `[from, to]` and share. */
const PYRAMID: readonly (readonly [readonly [number, number], number])[] = [
  [[0, 4], 5],
  [[5, 14], 11],
  [[15, 24], 12],
  [[25, 39], 20],
  [[40, 54], 20],
  [[55, 64], 13],
  [[65, 74], 10],
  [[75, 84], 6],
  [[85, 99], 3],
];

/** The day the demo account's first patient was entered. */
const FIRST_ENTRY_MS = Date.parse('2022-05-02T08:00:00Z');

/**
 * Made-up people with made-up histories, the same for the same seed on every machine. Addresses and numbers are from
 * ranges set aside for fiction (example.com; 555-01xx; 07700 900xxx), so that nothing here ever reaches anyone.
 */
export function demoData(accountId: AccountId, count = 260, seed = 20_231_015): DemoData {
  const random = createRandom(seed);
  const data: DemoData = { patients: [], records: [] };
  let createdMs = FIRST_ENTRY_MS;
  for (let index = 0; index < count; index += 1) {
    // Always later than the one before, so that the order of creation is total.
    createdMs += random.between(600, 150_000) * 1_000 + random.between(1, 999);
    const createdAt = new Date(createdMs);
    const patient = index === 0 ? exemplar() : drawPatient(random, createdAt);
    const id = drawId(random, 'pat');
    data.patients.push({ ...patient, id, accountId, createdAt, updatedAt: createdAt });
    const sure = index === 0 ? ['I10', 'E11.9'] : [];
    const history = drawHistory(random, { dob: patient.dob as Date, sex: patient.sex ?? 'unknown', sure });
    for (const [place, record] of history.entries()) {
      // A history is entered with its patient, and grows afterwards.
      const enteredAt = new Date(Math.max(createdMs, record.effectiveAt.getTime()) + (place + 1) * 1_000);
      data.records.push({
        ...record,
        code: record.code ?? Prisma.DbNull,
        id: drawId(random, 'rec'),
        accountId,
        patientId: id,
        createdAt: enteredAt,
        updatedAt: enteredAt,
      });
    }
  }
  return data;
}

type Person = Pick<
  Prisma.PatientCreateManyInput,
  'name' | 'dob' | 'sex' | 'genderIdentity' | 'email' | 'phone' | 'preferredMethod'
>;

/** The patient that the first requests to try ask for: nothing that a version renames or hides is missing. */
function exemplar(): Person {
  return {
    name: 'Amara Okafor-Núñez',
    dob: new Date('1961-03-07'),
    sex: 'female',
    genderIdentity: 'woman',
    email: 'amara.okafor@example.com',
    phone: '+44 7700 900461',
    preferredMethod: 'sms',
  };
}

function drawPatient(random: Random, createdAt: Date): Person {
  const [youngest, oldest] = random.weighted(PYRAMID);
  const age = random.between(youngest, oldest);
  const bornMs = DEMO_TODAY.getTime() - Math.floor((age + random.next() * 0.99) * 365.25) * 86_400_000;
  // Nobody is entered before the day after birth.
  const dob = new Date(Math.min(bornMs, createdAt.getTime() - 86_400_000));
  const sex = random.weighted([
    ['female', 49],
    ['male', 47],
    ['other', 2],
    ['unknown', 2],
  ]);
  const { name, mailbox } = drawName(random, sex);
  const email = random.chance(age < 75 ? 0.78 : 0.35) ? drawEmail(random, mailbox) : null;
  const phone = random.chance(0.86) ? drawPhone(random) : null;
  return {
    name,
    dob: new Date(dob.toISOString().slice(0, 10)),
    sex,
    genderIdentity: drawIdentity(random, sex, age),
    email,
    phone,
    preferredMethod: drawMethod(random, email, phone),
  };
}

function drawIdentity(random: Random, sex: string, age: number): string | null {
  if (age < 14 || !random.chance(sex === 'other' ? 0.8 : 0.14)) return null;
  if (sex === 'other') return random.pick(['non-binary', 'genderqueer', 'agender', 'two-spirit']);
  if (sex === 'female')
    return random.weighted([
      ['woman', 7],
      ['non-binary', 2],
      ['transgender man', 1],
    ]);
  if (sex === 'male')
    return random.weighted([
      ['man', 7],
      ['non-binary', 2],
      ['transgender woman', 1],
    ]);
  return random.pick(['prefers not to say', 'questioning']);
}

function drawEmail(random: Random, mailbox: string): string {
  const number = random.chance(0.5) ? String(random.between(1, 99)) : '';
  return `${mailbox}${number}@example.${random.pick(['com', 'org', 'net'])}`;
}

function drawPhone(random: Random): string {
  const last = random.between(100, 199);
  if (random.chance(0.45)) return `+1 ${random.pick(['212', '312', '415', '604', '713'])} 555 0${last}`;
  return `+44 7700 900${String(random.below(1_000)).padStart(3, '0')}`;
}

/** Nobody prefers a way that is not known, and some were never asked. */
function drawMethod(random: Random, email: string | null, phone: string | null): string | null {
  if (random.chance(0.25)) return null;
  const ways = [...(email === null ? [] : ['email']), ...(phone === null ? [] : ['phone', 'sms']), 'mail'];
  return random.chance(0.04) ? 'none' : random.pick(ways);
}

function drawId(random: Random, prefix: string): string {
  return `${prefix}_${randomBase62(20, random.below)}`;
}
