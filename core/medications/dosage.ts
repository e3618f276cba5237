/** How much of a medicine is taken, read from text such as `simvastatin 80 mg nocte` or `75 mg once daily`. */
export interface Dosage {
  /** Milligrams at a time; null where the text says none, or says it in another measure. */
  readonly doseMg: number | null;
  /** How often in a day; a seventh for once a week. Null where the text does not say. */
  readonly perDay: number | null;
  /** `doseMg` times `perDay`; with a dose but no frequency, once a day is assumed. Null without a dose. */
  readonly dailyMg: number | null;
  /** Taken only when needed. */
  readonly asNeeded: boolean;
}

/** Text without what says how much and how often. */
export interface DosageText extends Dosage {
  readonly rest: string;
}

const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`;
const MASS = 'mg|milligrams?|mcg|µg|ug|micrograms?|microgrammes?|g|grams?|gramm|gr|ng|nanograms?';
const OTHER = 'ml|millilitres?|milliliters?|iu|i\\.e\\.|ie|ui|units?|u|mmol|meq|%|percent';
/** `5 mg`, `5mg/5ml`, `100 units/ml`, `20/12.5 mg`, `875 mg/125 mg`, `25 mcg/h`. */
const STRENGTH = new RegExp(
  String.raw`(?<![a-z0-9.-])${NUMBER}\s*(?:\/\s*${NUMBER}\s*)?(${MASS}|${OTHER})(?![a-z])(?:\s*(?:\/|per|pro|par)\s*${NUMBER}?\s*(${MASS}|ml|l|h|hr|hour|stunde|dose|puff|spray|actuation|day|drop)(?![a-z]))?`,
  'g',
);
const VOLUME = new RegExp(String.raw`(?<![a-z0-9.-])${NUMBER}\s*ml(?![a-z])`, 'g');

const MG_PER: readonly [RegExp, number][] = [
  [/^(mg|milligrams?)$/, 1],
  [/^(mcg|µg|ug|micrograms?|microgrammes?)$/, 0.001],
  [/^(ng|nanograms?)$/, 0.000001],
  [/^(g|grams?|gramm|gr)$/, 1000],
];

const NUMBERS: Readonly<Record<string, number>> = {
  one: 1, once: 1, un: 1, une: 1, una: 1, uno: 1, ein: 1, eine: 1, einmal: 1, two: 2, twice: 2, deux: 2, dos: 2, due: 2,
  zwei: 2, zweimal: 2, three: 3, thrice: 3, trois: 3, tres: 3, tre: 3, drei: 3, dreimal: 3, four: 4, quatre: 4, cuatro: 4,
  quattro: 4, vier: 4, viermal: 4, half: 0.5,
}; // biome-ignore format: one table
const COUNT = `\\d+(?:[.,]\\d+)?|${Object.keys(NUMBERS).join('|')}`;
const DAY =
  'daily|a day|per day|each day|every day|in a day|taglich|tgl|am tag|pro tag|par jour|jour|al dia|por dia|diarios?|al giorno|die|dd';

type Reading = (match: RegExpExecArray) => number;
const amount = (text: string | undefined): number => NUMBERS[text ?? ''] ?? Number((text ?? '').replace(',', '.'));

/** What says how often, longest first; each is taken out of the text. */
const FREQUENCIES: readonly [RegExp, Reading][] = [
  [new RegExp(String.raw`\b(${COUNT})\s*(?:x|times?|fois|veces|volte|mal)?\s*(?:weekly|(?:a|per|each|every) week|pro woche|wochentlich|par semaine|a la semana|por semana|alla settimana)\b`), (m) => amount(m[1]) / 7],
  [/\b(?:every|each|q) ?(\d+) ?weeks?\b/, (m) => 1 / (7 * amount(m[1]))],
  [/\b(?:once weekly|weekly|every week|each week|qw|wochentlich|hebdomadaire|semanal|settimanale|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/, () => 1 / 7],
  [/\b(?:fortnightly|every (?:two|other|second) weeks?|every fortnight)\b/, () => 1 / 14],
  [/\b(?:once monthly|monthly|every month|a month|monatlich)\b/, () => 1 / 30],
  [/\b(?:every other day|alternate days?|alt days?|eod|qod|every (?:second|2(?:nd)?) days?)\b/, () => 0.5],
  [/\b(?:every|each|alle|toutes les|cada|ogni|q) ?(\d+) ?(?:hourly|hours?|hrs?|h|stunden|std|heures|horas|ore)\b/, (m) => 24 / amount(m[1])],
  [/\b(\d+) ?(?:hourly|hrly)\b/, (m) => 24 / amount(m[1])],
  [/\b(\d)-(\d)-(\d)(?:-(\d))?\b/, (m) => [1, 2, 3, 4].reduce((sum, i) => sum + Number(m[i] ?? 0), 0)],
  [new RegExp(String.raw`\b(${COUNT})\s*(?:x|×|times?|fois|veces|vez|volte|volta|mal)?\s*(?:${DAY})\b`), (m) => amount(m[1])],
  [/\b(\d) ?(?:x|×)(?= |$)/, (m) => amount(m[1])],
  [/\b(?:qds|qid|q\.i\.d\.?|q\.d\.s\.?)(?![a-z])/, () => 4],
  [/\b(?:tds|tid|t\.i\.d\.?|t\.d\.s\.?)(?![a-z])/, () => 3],
  [/\b(?:bd|bid|b\.i\.d\.?|b\.d\.?|twice)(?![a-z])/, () => 2],
  [/\b(?:od|qd|o\.d\.?|q\.d\.?|sid|once|nocte|mane|noct|qhs|hs|qam|qpm|qac|om|on|at night|at bedtime|bedtime|nightly|every (?:night|morning|evening)|in the (?:morning|evening)|each (?:morning|night)|morgens|abends|mittags|zur nacht|le (?:matin|soir)|por la (?:manana|noche)|(?:al )?mattino|la sera)\b/, () => 1],
  [new RegExp(String.raw`\b(?:${DAY})\b`), () => 1],
]; // biome-ignore format: one line each
const AS_NEEDED =
  /\b(?:prn|p\.r\.n\.?|sos|as needed|as required|when needed|when required|if needed|if required|bei bedarf|si besoin|si precisa|al bisogno|if necessary)(?![a-z])/g;
const FILLER =
  /\b(?:take|give|takes?|taking|stat|ac|pc|cc|with food|with meals|after food|before (?:food|breakfast|meals)|for pain|then|max(?:imum)?|up to|about|to be taken|as directed|mdu|ut dict)\b/g;
/** Longer text is no prescription line, and is left alone. */
const CHARACTERS_MAX = 400;

/** Reads how much and how often, and gives back the text without it. Lower case, accents removed first. */
export function readDosage(text: string): DosageText {
  let rest = text
    .slice(0, CHARACTERS_MAX)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
  const asNeeded = AS_NEEDED.test(rest);
  AS_NEEDED.lastIndex = 0;
  rest = rest.replace(AS_NEEDED, ' ').replace(FILLER, ' ');
  let perDay: number | null = null;
  for (const [pattern, reading] of FREQUENCIES) {
    const match = pattern.exec(rest);
    if (!match) continue;
    const times = reading(match);
    if (perDay === null && Number.isFinite(times) && times > 0 && times <= 24) perDay = times;
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
  }
  const doseMg = readDose(rest);
  rest = rest
    .replace(/(?<![a-z0-9])x ?\d{1,3}(?![a-z0-9])/g, ' ')
    .replace(STRENGTH, ' ')
    .replace(/(?<![a-z0-9.-])\d+(?:[.,]\d+)?(?![a-z0-9-])/g, ' ');
  const dailyMg = doseMg === null ? null : round(doseMg * (perDay ?? 1));
  return { doseMg, perDay: perDay === null ? null : round(perDay), dailyMg, asNeeded, rest };
}

const round = (x: number): number => Number(x.toPrecision(6));

/** One dose in milligrams. Several strengths in one text are a combination, of which no dose is told. */
function readDose(text: string): number | null {
  const found = [...text.matchAll(STRENGTH)].filter(([, , , unit = '']) => massOf(unit) !== undefined);
  const [first] = found;
  if (!first || found.length > 1 || first[2] !== undefined) return null;
  const [whole, value, , unit, perAmount, perUnit] = first;
  const strengthMg = Number((value ?? '').replace(',', '.')) * (massOf(unit ?? '') ?? 0);
  if (perUnit === undefined) return strengthMg;
  // `5 mg/5 ml` alone is a strength, no dose: the dose is what follows, as in `5 mg/5 ml, 10 ml bd`.
  if (perUnit !== 'ml') return perUnit === 'dose' || perUnit === 'puff' || perUnit === 'day' ? strengthMg : null;
  const volume = [...text.replace(whole, ' ').matchAll(VOLUME)][0];
  if (!volume) return null;
  return (strengthMg / Number((perAmount ?? '1').replace(',', '.'))) * Number((volume[1] ?? '').replace(',', '.'));
}

function massOf(unit: string): number | undefined {
  return MG_PER.find(([pattern]) => pattern.test(unit))?.[1];
}
