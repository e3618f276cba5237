/** Salt and ester words that may follow or lead a substance name without changing what it is. */
const SALTS = new Set(
  `hydrochloride hcl dihydrochloride hydrobromide hbr bromide chloride sodium disodium potassium calcium magnesium
  maleate mesylate mesilate besylate besilate tosylate tosilate tartrate bitartrate succinate hydrogensuccinate fumarate
  hemifumarate phosphate diphosphate sulfate sulphate bisulfate acetate citrate nitrate gluconate lactate stearate
  oxalate decanoate palmitate pamoate embonate valerate propionate dipropionate furoate enanthate cypionate
  undecanoate monohydrate dihydrate trihydrate anhydrous hemihydrate hydrate axetil medoxomil cilexetil proxetil
  trometamol tromethamine arginine erbumine lysine xinafoate etexilate mofetil pivoxil ethylsuccinate lactobionate
  hyclate benzoate isetionate edisylate napsylate olamine malate`
    .split(/\s+/)
    .filter(Boolean),
);

/** Words of dose form and use, each with the route it gives away where it does. */
const FORMS: Readonly<Record<string, string>> = {
  tablet: 'oral',
  tablets: 'oral',
  tab: 'oral',
  tabs: 'oral',
  capsule: 'oral',
  capsules: 'oral',
  cap: 'oral',
  caps: 'oral',
  oral: 'oral',
  syrup: 'oral',
  elixir: 'oral',
  po: 'oral',
  chewable: 'oral',
  odt: 'oral',
  softgel: 'oral',
  caplet: 'oral',
  injection: 'injection',
  inj: 'injection',
  iv: 'injection',
  im: 'injection',
  sc: 'injection',
  subcut: 'injection',
  infusion: 'injection',
  pen: 'injection',
  vial: 'injection',
  intravenous: 'injection',
  subcutaneous: 'injection',
  cream: 'topical',
  ointment: 'topical',
  gel: 'topical',
  lotion: 'topical',
  topical: 'topical',
  shampoo: 'topical',
  foam: 'topical',
  patch: 'transdermal',
  patches: 'transdermal',
  transdermal: 'transdermal',
  inhaler: 'inhaled',
  inhalation: 'inhaled',
  hfa: 'inhaled',
  nebules: 'inhaled',
  inhaled: 'inhaled',
  nebuliser: 'inhaled',
  nasal: 'nasal',
  ophthalmic: 'ophthalmic',
  eye: 'ophthalmic',
  otic: 'otic',
  ear: 'otic',
  vaginal: 'vaginal',
  pessary: 'vaginal',
  suppository: 'rectal',
  rectal: 'rectal',
  enema: 'rectal',
  sublingual: 'sublingual',
  sl: 'sublingual',
  spray: '',
  drops: '',
  drop: '',
  solution: '',
  suspension: '',
  powder: '',
  film: '',
  coated: '',
  extended: '',
  release: '',
  modified: '',
  prolonged: '',
  sustained: '',
  delayed: '',
  immediate: '',
  er: '',
  xr: '',
  sr: '',
  cr: '',
  la: '',
  xl: '',
  dr: '',
  ec: '',
  mr: '',
  ir: '',
  od: '',
  bd: '',
  bid: '',
  tds: '',
  tid: '',
  qds: '',
  qid: '',
  qd: '',
  prn: '',
  daily: '',
  once: '',
  twice: '',
  effervescent: '',
  enteric: '',
  low: '',
  dose: '',
  baby: '',
  strength: '',
  liquid: '',
  extra: '',
  diskus: 'inhaled',
  turbuhaler: 'inhaled',
  dosepak: '',
  cd: '',
  '24hr': '',
  '12hr': '',
  '24h': '',
  '12h': '',
  tabletten: 'oral',
  tablette: 'oral',
  comprimes: 'oral',
  comprimidos: 'oral',
  compresse: 'oral',
  ds: '',
  forte: '',
  otc: '',
  generic: '',
  per: '',
  day: '',
  mg: '',
  mcg: '',
  ug: '',
  g: '',
  ml: '',
  iu: '',
  unit: '',
  units: '',
  mmol: '',
  meq: '',
};

const STRENGTH =
  /(?<![a-z0-9-])\d+(?:[.,]\d+)?\s*(?:mg|mcg|µg|ug|g|ml|iu|units?|mmol|meq|%)?(?:\s*\/\s*\d*(?:[.,]\d+)?\s*(?:mg|mcg|µg|g|ml|h|hr|hour|dose|day|actuation))?(?![a-z0-9-])/g;

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

/** Removes strengths, dose forms and frequencies; tells the route a form word gives away. */
export function withoutForm(text: string): { name: string; route: string | null } {
  const bare = normalise(text.toLowerCase().replace(STRENGTH, ' '));
  let route: string | null = null;
  const kept: string[] = [];
  for (const word of bare.split(' ')) {
    const form = FORMS[word];
    if (form === undefined) kept.push(word);
    else if (form && !route) route = form;
  }
  return { name: kept.join(' '), route };
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

const ROUTES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(FORMS).filter(([, route]) => route)),
  'by mouth': 'oral',
  swallowed: 'oral',
  parenteral: 'injection',
  intramuscular: 'injection',
  cutaneous: 'topical',
  skin: 'topical',
  'eye drops': 'ophthalmic',
  'ear drops': 'otic',
  'nasal spray': 'nasal',
  buccal: 'sublingual',
  inhalational: 'inhaled',
  intrauterine: 'intrauterine',
  iud: 'intrauterine',
  implant: 'implant',
  intrathecal: 'intrathecal',
};

/** The route in our words, or null when the text names none we know (then nothing is assumed). */
export function routeOf(text: string | undefined): string | null {
  if (!text) return null;
  return ROUTES[normalise(text)] ?? null;
}

/** Routes from which little reaches the circulation. */
export const LOCAL_ROUTES: ReadonlySet<string> = new Set([
  'topical',
  'ophthalmic',
  'otic',
  'nasal',
  'vaginal',
  'intrauterine',
]);
