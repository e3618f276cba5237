import type { Grade, PropertyDefinition, SubstanceRecord } from './types.ts';

/**
 * Reads substances written one to a line:
 *
 *     name = synonym, synonym ; ATC codes ; classes ; routes ; properties ; brands
 *
 * Properties are short: `3a4s2` is a CYP3A4 substrate of the second strength (moderate), `qt1` the first QT category,
 * `sed0` takes away what a class passes on. Certainty and source are the usual ones of the property.
 */

const ROUTES: Readonly<Record<string, string>> = {
  o: 'oral',
  i: 'injection',
  t: 'topical',
  e: 'ophthalmic',
  n: 'nasal',
  h: 'inhaled',
  v: 'vaginal',
  r: 'rectal',
  d: 'transdermal',
  s: 'sublingual',
};

const PROPERTIES: Readonly<Record<string, string>> = {
  oe: 'overexposure',
  ue: 'underexposure',
  nti: 'narrow_therapeutic_range',
  qt: 'qt',
  mao: 'mao_inhibitor',
  ser: 'serotonergic',
  bleed: 'bleeding',
  kup: 'potassium_raising',
  kdn: 'potassium_lowering',
  ksens: 'hypokalaemia_sensitive',
  na: 'sodium_lowering',
  sed: 'sedation',
  resp: 'respiratory_depression',
  neph: 'nephrotoxicity',
  perf: 'renal_perfusion',
  bp: 'hypotension',
  brady: 'bradycardia',
  lowglu: 'hypoglycaemia',
  higlu: 'hyperglycaemia',
  seiz: 'seizure_threshold',
  ach: 'anticholinergic',
  chol: 'cholinergic',
  dant: 'dopamine_antagonist',
  dago: 'dopamine_agonist',
  symp: 'sympathomimetic',
  mye: 'myelosuppression',
  hep: 'hepatotoxicity',
  oto: 'ototoxicity',
  nmb: 'neuromuscular_blockade',
  cat: 'polyvalent_cation',
  chel: 'chelation_substrate',
  phup: 'gastric_ph_raising',
  phdep: 'gastric_ph_dependent',
  bind: 'bile_acid_binding',
  resin: 'resin_bound',
  imm: 'immunosuppression',
  live: 'live_vaccine',
  fol: 'folate_antagonist',
  myo: 'myopathy',
  thr: 'thrombosis',
  vaso: 'vasoconstriction',
  dis: 'disulfiram_like',
  neuro: 'peripheral_neuropathy',
  icp: 'intracranial_hypertension',
  met: 'methaemoglobinaemia',
  inot: 'negative_inotropy',
};

const CARRIERS: Readonly<Record<string, string>> = {
  pgp: 'pgp',
  oatp: 'oatp1b1',
  bcrp: 'bcrp',
  oat: 'oat',
  oct: 'oct_mate',
  ugt: 'ugt',
};
const ROLES: Readonly<Record<string, string>> = { s: 'substrate', i: 'inhibitor', n: 'inducer', a: 'activated' };

/** The property a short form stands for, and the place of its strength; undefined when it is no short form. */
export function shortProperty(token: string): { readonly property: string; readonly place: number } | undefined {
  const enzyme = /^(\d[a-e]\d{1,2})([sina])(\d)$/.exec(token);
  if (enzyme) return { property: `cyp${enzyme[1]}_${ROLES[enzyme[2] ?? '']}`, place: Number(enzyme[3]) };
  const carrier = /^(pgp|oatp|bcrp|oat|oct|ugt)([sin])(\d)$/.exec(token);
  if (carrier)
    return { property: `${CARRIERS[carrier[1] ?? '']}_${ROLES[carrier[2] ?? '']}`, place: Number(carrier[3]) };
  const other = /^([a-z]+)(\d?)$/.exec(token);
  const property = PROPERTIES[other?.[1] ?? ''];
  return property === undefined ? undefined : { property, place: other?.[2] ? Number(other[2]) : 1 };
}

/** The id of a substance by its name: lower case, words joined by hyphens. */
export function idOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const listOf = (text: string | undefined, by: RegExp): string[] =>
  (text ?? '')
    .split(by)
    .map((part) => part.trim())
    .filter(Boolean);

/** Lines that say something: no comments, no blank ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Reads a file of substances. @param mistakes one line is added per mistake, naming the substance */
export function readSubstances(
  text: string,
  properties: ReadonlyMap<string, PropertyDefinition>,
  mistakes: string[],
): SubstanceRecord[] {
  return linesOf(text).map((line) => {
    const [names = '', atc, classes, routes, grades, brands, ...rest] = line.split(';');
    const [name = '', synonyms] = names.split(' = ');
    const open = name.trim().startsWith('!');
    const plain = name.replace('!', '').trim();
    const mistake = (what: string): unknown => mistakes.push(`substance ${plain}: ${what}`);
    if (rest.length > 0) mistake('has too many parts');
    const routeIds = listOf(routes, /,/).map((letter) => {
      if (!ROUTES[letter]) mistake(`no route ${letter}`);
      return ROUTES[letter] ?? letter;
    });
    if (routeIds.length === 0) mistake('has no route');
    const record: SubstanceRecord = {
      id: idOf(plain),
      name: plain,
      atc: listOf(atc, /\s+/),
      classes: listOf(classes, /,/),
      routes: routeIds,
      profiled: !open,
    };
    const synonymList = listOf(synonyms, /,\s/);
    const brandList = listOf(brands, /,/);
    if (synonymList.length > 0) record.synonyms = synonymList;
    if (brandList.length > 0) record.brands = brandList;
    const graded = Object.fromEntries(
      listOf(grades, /\s+/).flatMap((token): [string, Grade][] => {
        const grade = gradeOf(token, properties);
        if (!grade) mistake(`no property ${token}`);
        return grade ? [grade] : [];
      }),
    );
    if (Object.keys(graded).length > 0) record.properties = graded;
    return record;
  });
}

function gradeOf(token: string, properties: ReadonlyMap<string, PropertyDefinition>): [string, Grade] | undefined {
  const short = shortProperty(token);
  const definition = short && properties.get(short.property);
  if (!definition) return undefined;
  if (short.place === 0) return [short.property, ['none', 'established', definition.default_source]];
  const strength = definition.strengths[short.place - 1];
  if (strength === undefined) return undefined;
  return [short.property, [strength, definition.default_certainty[strength] ?? 'probable', definition.default_source]];
}

/** Reads lines of `id: one, two` into a map; what is listed twice under one id is joined. */
export function readLists(text: string): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const at = line.indexOf(':');
    const key = line.slice(0, at).trim();
    lists.set(key, [...(lists.get(key) ?? []), ...listOf(line.slice(at + 1), /,/)]);
  }
  return lists;
}
