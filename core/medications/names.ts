import { type Dosage, readDosage } from './dosage.ts';
import { FORMS, SALTS } from './forms.ts';

/** Lower case without accents or punctuation, words parted by one blank: the form in which names are compared. */
export function normalise(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’`´]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** What a text says beside the name. */
export interface NameText {
  readonly name: string;
  readonly route: string | null;
  readonly dosage: Dosage;
}

/** Removes strengths, dose forms and frequencies; tells the route a form word gives away, and how much is taken. */
export function withoutForm(text: string): NameText {
  const { rest, ...dosage } = readDosage(text);
  let route: string | null = null;
  const kept: string[] = [];
  for (const word of normalise(rest).split(' ')) {
    const form = FORMS.get(word);
    if (form === undefined) kept.push(word);
    else if (form && !route) route = form;
  }
  return { name: kept.join(' '), route, dosage };
}

/** Removes salt and ester words at either end; the same text when nothing else would be left. */
export function withoutSalt(name: string): string {
  const words = name.split(' ');
  while (words.length > 1 && SALTS.has(words[words.length - 1] ?? '')) words.pop();
  while (words.length > 1 && SALTS.has(words[0] ?? '')) words.shift();
  return words.join(' ');
}

/** A class name in the singular: `NSAIDs` and `nsaid`, `MAO inhibitors` and `MAO inhibitor` are one. */
export function classKey(name: string): string {
  return normalise(name)
    .split(' ')
    .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
    .join(' ');
}

/** The parts of a combination as people write them: `a/b`, `a + b`, `a and b`, `a with b`, `a-b`. */
export function combinationParts(text: string): string[][] {
  const lower = text.toLowerCase();
  const ways = [
    /\s*[/+&;,]\s*|\s+and\s+|\s+with\s+|\s+plus\s+/,
    /\s*[/+&;,-]\s*|\s+and\s+|\s+with\s+|\s+plus\s+/,
    /\s+/,
  ];
  return ways
    .map((way) =>
      lower
        .split(way)
        .map((p) => p.trim())
        .filter(Boolean),
    )
    .filter((parts) => parts.length > 1 && parts.length <= 6);
}

const ROUTE_WORDS: readonly [route: string, words: string][] = [
  [
    'oral',
    'by mouth,swallowed,per os,per oral,ng,nasogastric,ng tube,peg,via peg,gastrostomy,enteral,jejunal,per ora,voie orale,via oral,via orale,oromucosal,os',
  ],
  [
    'injection',
    'parenteral,intramuscular,sq,sub q,i v,i m,s c,intraarterial,intra arterial,intraarticular,intra articular,intradermal,intralesional,epidural,intraosseous,intravitreal,intraperitoneal,intracavernosal,perineural,infiltration,dental,intramuskular,intravenos,subkutan,intraveineuse,sous cutanee,iv push,iv bolus,haemodialysis,subcutaneous infusion,intravenous infusion,intravenous bolus',
  ],
  [
    'topical',
    'cutaneous,skin,to the skin,scalp,dermal,external,on the skin,kutan,lokal,cutanee,cutanea,applied to the skin',
  ],
  ['ophthalmic', 'eye drops,ocular,intraocular,conjunctival,in the eye,both eyes,left eye,right eye'],
  ['otic', 'ear drops,auricular,in the ear'],
  ['nasal', 'nasal spray,intranasal,nasally,nose'],
  ['sublingual', 'buccal,under the tongue,transmucosal,oral transmucosal,sublingually'],
  ['inhaled', 'inhalational,respiratory,endotracheal,by inhalation,pulmonary,inhalativ,via inhaler,nebulised'],
  ['rectal', 'per rectum,rectally,pr'],
  ['vaginal', 'per vaginam,intravaginal,pv'],
  ['transdermal', 'skin patch,td,percutaneous'],
  ['intrauterine', 'intrauterine,iud,coil'],
  ['implant', 'implant,subdermal,implantation'],
  ['intrathecal', 'intrathecal,intraventricular'],
  ['bladder', 'intravesical,bladder'],
];

const ROUTES: ReadonlyMap<string, string> = new Map([
  ...[...FORMS].filter(([, route]) => route !== ''),
  ...ROUTE_WORDS.flatMap(([route, words]): [string, string][] => words.split(',').map((word) => [word, route])),
]);

/** The route in our words, or null when the text names none we know (then nothing is assumed). */
export function routeOf(text: string | undefined): string | null {
  if (!text) return null;
  return ROUTES.get(normalise(text)) ?? null;
}

/** Routes from which little reaches the circulation. */
export const LOCAL_ROUTES: ReadonlySet<string> = new Set([
  'topical',
  'ophthalmic',
  'otic',
  'nasal',
  'vaginal',
  'intrauterine',
  'bladder',
]);
