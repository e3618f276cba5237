import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linesOf, readLists, readSubstances } from './compact.ts';
import { lastingOf } from './lasting.ts';
import { classKey, normalise, withoutSalt } from './names.ts';
import { type FileKind, fileMistakes } from './schemas.ts';
import { expand } from './select.ts';
import { keysByLength } from './spelling.ts';
import type {
  AllergyGroup,
  Combination,
  FoodRule,
  Grade,
  GroupRule,
  MedicationKnowledge,
  NameEntry,
  NameIndex,
  PairRule,
  PatientRule,
  PropertyDefinition,
  RuleTable,
  Selector,
  Source,
  Substance,
  SubstanceClass,
  SubstanceRecord,
} from './types.ts';
import { variantKey } from './variants.ts';

/** Where the data lives in this repository. */
export const KNOWLEDGE_DIRECTORY = join(import.meta.dirname, '..', 'knowledge', 'medications');

/** The data contradicts its schema or itself; every mistake is listed together. */
export class MedicationKnowledgeError extends Error {
  override readonly name = 'MedicationKnowledgeError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(`medication knowledge has ${mistakes.length} mistakes:\n${mistakes.join('\n')}`);
    this.mistakes = mistakes;
  }
}

/**
 * Reads, checks and compiles the medication knowledge. Takes about half a second: load once, share freely;
 * nothing in the result changes afterwards.
 * @throws {MedicationKnowledgeError} naming every malformed file, unknown id, strength and source
 */
export function loadMedications(directory: string = KNOWLEDGE_DIRECTORY): MedicationKnowledge {
  const mistakes: string[] = [];
  const read = <T>(kind: FileKind, ...path: string[]): T => {
    const data: unknown = JSON.parse(readFileSync(join(directory, ...path), 'utf8'));
    for (const mistake of fileMistakes(kind, data)) mistakes.push(`${path.join('/')}: ${mistake}`);
    return data as T;
  };
  const filesIn = (folder: string, ending = '.json'): string[] =>
    readdirSync(join(directory, folder))
      .filter((name) => name.endsWith(ending))
      .sort();

  const version = read<{ knowledge_version: string; reviewed: string; disclaimer: string }>('version', 'version.json');
  const sources = read<{ sources: Source[] }>('sources', 'sources.json').sources;
  const properties = read<{ properties: PropertyDefinition[] }>('properties', 'properties.json').properties;
  const classes = read<{ classes: SubstanceClass[] }>('classes', 'classes.json').classes;
  const propertyById = new Map(properties.map((p) => [p.id, p]));
  const readText = (...path: string[]): string => readFileSync(join(directory, ...path), 'utf8');
  const records = filesIn('substances').flatMap(
    (name) => read<{ substances: SubstanceRecord[] }>('substances', 'substances', name).substances,
  );
  for (const name of filesIn('substances', '.txt')) {
    const substances = readSubstances(readText('substances', name), propertyById, mistakes);
    for (const mistake of fileMistakes('substances', { substances })) mistakes.push(`substances/${name}: ${mistake}`);
    records.push(...substances);
  }
  const uncovered = linesOf(readText('known-names.txt')).flatMap((line) => line.split(',').map((name) => name.trim()));
  for (const [id, routes] of readLists(readText('unabsorbed.txt'))) {
    const record = records.find((each) => each.id === id);
    if (!record) mistakes.push(`unabsorbed.txt: unknown substance ${id}`);
    else record.unabsorbed = [...routes];
  }
  for (const name of filesIn('names', '.txt')) addNames(records, readLists(readText('names', name)), name, mistakes);
  const combinations = read<{ combinations: Combination[] }>('combinations', 'combinations.json').combinations;
  addCombinations(combinations, readLists(readText('combinations.txt')));
  const allergyGroups = read<{ allergies: AllergyGroup[] }>('allergies', 'allergies.json').allergies;
  const groupRules: GroupRule[] = [];
  const foodRules: FoodRule[] = [];
  const patientRules: PatientRule[] = [];
  const pairRules: PairRule[] = [];
  const ceilings: PairRule[] = [];
  const highPriority = new Set<string>();
  for (const name of filesIn('rules')) {
    if (name === 'groups.json') groupRules.push(...read<{ groups: GroupRule[] }>('groups', 'rules', name).groups);
    else if (name.startsWith('food')) foodRules.push(...read<{ foods: FoodRule[] }>('foods', 'rules', name).foods);
    else if (name.startsWith('patient'))
      patientRules.push(...read<{ patient: PatientRule[] }>('patient', 'rules', name).patient);
    else pairRules.push(...read<{ rules: PairRule[] }>('pairRules', 'rules', name).rules.flatMap(writeOut));
  }
  for (const name of filesIn('pairs')) {
    if (name === 'non-interruptive.json')
      ceilings.push(...read<{ rules: PairRule[] }>('ceilings', 'pairs', name).rules.flatMap(writeOut));
    else {
      const named = read<{ rules: PairRule[] }>('pairRules', 'pairs', name).rules.flatMap(writeOut);
      if (name === 'high-priority.json') for (const rule of named) highPriority.add(rule.id);
      pairRules.push(...named);
    }
  }
  // A malformed file would only cause a shower of follow-on mistakes below.
  if (mistakes.length > 0) throw new MedicationKnowledgeError(mistakes);

  const classById = new Map(classes.map((c) => [c.id, c]));
  const sourceById = new Map(sources.map((s) => [s.id, s]));
  const substances: Substance[] = records.map((record, index) => ({
    ...record,
    index,
    grades: gradesOf(record, classById, propertyById),
  }));
  const byId = new Map(substances.map((s) => [s.id, s]));

  for (const rule of pairRules)
    for (const id of rule.over ?? [])
      if (!pairRules.some((other) => other.id === id)) mistakes.push(`rule ${rule.id}: over unknown rule ${id}`);
  const unique = (what: string, idList: readonly string[]): void => {
    const seen = new Set<string>();
    for (const id of idList) {
      if (seen.has(id)) mistakes.push(`${what} ${id} occurs twice`);
      seen.add(id);
    }
  };
  unique('substance', records.map((r) => r.id).concat(combinations.map((c) => c.id)));
  unique(
    'class',
    classes.map((c) => c.id),
  );
  unique(
    'source',
    sources.map((s) => s.id),
  );
  unique(
    'rule',
    [...pairRules, ...ceilings, ...groupRules, ...foodRules, ...patientRules].map((r) => r.id),
  );

  const checkGrades = (where: string, grades: Record<string, Grade> | undefined): void => {
    for (const [property, [strength, , source]] of Object.entries(grades ?? {})) {
      const definition = propertyById.get(property);
      if (!definition) mistakes.push(`${where}: unknown property ${property}`);
      else if (strength !== 'none' && !definition.strengths.includes(strength))
        mistakes.push(`${where}: ${property} has no strength ${strength}`);
      if (!sourceById.has(source)) mistakes.push(`${where}: unknown source ${source}`);
    }
  };
  for (const c of classes) checkGrades(`class ${c.id}`, c.properties);
  for (const r of records) {
    checkGrades(`substance ${r.id}`, r.properties);
    for (const c of r.classes) if (!classById.has(c)) mistakes.push(`substance ${r.id}: unknown class ${c}`);
  }
  for (const c of combinations)
    for (const s of c.substances) if (!byId.has(s)) mistakes.push(`combination ${c.id}: unknown substance ${s}`);
  const checkSelector = (where: string, selector: Selector): void => {
    for (const s of [...(selector.substances ?? []), ...(selector.except?.substances ?? [])])
      if (!byId.has(s)) mistakes.push(`${where}: unknown substance ${s}`);
    for (const c of [...(selector.classes ?? []), ...(selector.except?.classes ?? [])])
      if (!classById.has(c)) mistakes.push(`${where}: unknown class ${c}`);
    for (const [p, strengths] of Object.entries({ ...selector.properties, ...selector.where })) {
      const definition = propertyById.get(p);
      if (!definition) mistakes.push(`${where}: unknown property ${p}`);
      else
        for (const s of strengths)
          if (s !== 'mild' && !definition.strengths.includes(s)) mistakes.push(`${where}: ${p} has no strength ${s}`);
    }
  };
  const checkSources = (where: string, idList: readonly string[]): void => {
    for (const s of idList) if (!sourceById.has(s)) mistakes.push(`${where}: unknown source ${s}`);
  };
  for (const rule of [...pairRules, ...ceilings]) {
    checkSelector(`rule ${rule.id}`, rule.a);
    checkSelector(`rule ${rule.id}`, rule.b);
    checkSources(`rule ${rule.id}`, rule.sources);
  }
  for (const rule of groupRules) {
    if ((rule.members === undefined) === (rule.count === undefined))
      mistakes.push(`group ${rule.id}: give either members or count`);
    for (const s of [...(rule.members ?? []), ...(rule.count ? [rule.count.of, rule.count.including] : [])])
      if (s) checkSelector(`group ${rule.id}`, s);
    checkSources(`group ${rule.id}`, rule.sources);
  }
  for (const rule of [...foodRules, ...patientRules]) {
    checkSelector(`rule ${rule.id}`, rule.medication);
    checkSources(`rule ${rule.id}`, rule.sources);
  }
  for (const group of allergyGroups) {
    checkSelector(`allergy ${group.id}`, group.members);
    for (const cross of group.crosses) {
      checkSelector(`allergy ${group.id}`, cross.members);
      checkSources(`allergy ${group.id}`, cross.sources);
    }
  }
  const lasting = lastingOf(
    readLists(readText('half-lives.txt')),
    linesOf(readText('lasting.txt')),
    substances,
    mistakes,
  );
  if (mistakes.length > 0) throw new MedicationKnowledgeError(mistakes);

  const set = (selector: Selector): ReadonlySet<number> => expand(selector, substances);
  return {
    version: version.knowledge_version,
    reviewed: version.reviewed,
    disclaimer: version.disclaimer,
    properties: propertyById,
    classes: classById,
    sources: sourceById,
    substances,
    byId,
    combinations,
    lasting,
    names: indexNames(substances, byId, combinations, classes, uncovered),
    rules: compileRules(pairRules, substances),
    highPriority,
    ceilings: compileRules(ceilings, substances),
    groups: groupRules.map((rule) => ({
      rule,
      members: (rule.members ?? []).map(set),
      of: rule.count ? set(rule.count.of) : new Set<number>(),
      including: rule.count?.including ? set(rule.count.including) : null,
    })),
    foods: foodRules.map((rule) => ({ rule, medication: set(rule.medication) })),
    patientRules: patientRules.map((rule) => ({ rule, medication: set(rule.medication) })),
    allergies: allergyGroups.map((group) => ({
      group,
      terms: new Set(group.terms.map(normalise)),
      members: set(group.members),
      crosses: group.crosses.map((c) => set(c.members)),
    })),
  };
}

/** Own properties win over those of classes; between classes the stronger grade wins. */
function gradesOf(
  record: SubstanceRecord,
  classById: ReadonlyMap<string, SubstanceClass>,
  propertyById: ReadonlyMap<string, PropertyDefinition>,
): ReadonlyMap<string, Grade> {
  const grades = new Map<string, Grade>();
  const weakness = (property: string, grade: Grade): number =>
    propertyById.get(property)?.strengths.indexOf(grade[0]) ?? Number.POSITIVE_INFINITY;
  for (const id of record.classes) {
    for (const [property, grade] of Object.entries(classById.get(id)?.properties ?? {})) {
      const held = grades.get(property);
      if (!held || weakness(property, grade) < weakness(property, held)) grades.set(property, grade);
    }
  }
  for (const [property, grade] of Object.entries(record.properties ?? {})) {
    if (grade[0] === 'none') grades.delete(property);
    else grades.set(property, grade);
  }
  return grades;
}

/** Writes a rule with `each` out once per value. */
function writeOut(rule: PairRule): PairRule[] {
  const [entry] = Object.entries(rule.each ?? {});
  if (!entry) return [rule];
  const [name, values] = entry;
  const { each: _each, ...template } = rule;
  return values.map((value) => {
    const text = JSON.stringify(template)
      .replaceAll(`{${name}}`, value)
      .replaceAll(`{${name.toUpperCase()}}`, value.toUpperCase());
    return JSON.parse(text) as PairRule;
  });
}

function compileRules(rules: readonly PairRule[], substances: readonly Substance[]): RuleTable {
  const words = Math.ceil(rules.length / 32);
  const blank = (): Uint32Array[] => substances.map(() => new Uint32Array(words));
  const a = blank();
  const b = blank();
  const compiled = rules.map((rule, bit) => {
    const sides = { rule, a: expand(rule.a, substances), b: expand(rule.b, substances) };
    for (const index of sides.a) setBit(a[index], bit);
    for (const index of sides.b) setBit(b[index], bit);
    return sides;
  });
  const reach = new Map(compiled.map((c) => [c.rule.id, c.a.size * c.b.size]));
  return { rules: compiled, reach, a, b };
}

function setBit(bits: Uint32Array | undefined, bit: number): void {
  const word = bit >>> 5;
  if (bits) bits[word] = (bits[word] ?? 0) | (1 << (bit & 31));
}

function indexNames(
  substances: readonly Substance[],
  byId: ReadonlyMap<string, Substance>,
  combinations: readonly Combination[],
  classes: readonly SubstanceClass[],
  uncovered: readonly string[],
): NameIndex {
  const byName = new Map<string, NameEntry[]>();
  const byCode = new Map<string, NameEntry[]>();
  const add = (map: Map<string, NameEntry[]>, key: string, entry: NameEntry): void => {
    if (!key) return;
    const entries = map.get(key) ?? [];
    if (!entries.some((e) => e.target === entry.target)) entries.push(entry);
    map.set(key, entries);
  };
  // Combinations come first: a code or brand that belongs to both means the product, not one part of it.
  for (const c of combinations) {
    const parts = c.substances.map((id) => byId.get(id)).filter((s): s is Substance => s !== undefined);
    const entry = (kind: NameEntry['kind']): NameEntry => ({ kind, target: c.id, substances: parts });
    add(byName, normalise(c.name), entry('name'));
    for (const s of c.synonyms ?? []) add(byName, normalise(s), entry('synonym'));
    for (const s of c.brands ?? []) add(byName, normalise(s), entry('brand'));
    for (const code of c.atc) if (code.length === 7) add(byCode, `atc:${code}`, entry('name'));
  }
  for (const s of substances) {
    const entry = (kind: NameEntry['kind']): NameEntry => ({ kind, target: s.id, substances: [s] });
    add(byName, normalise(s.name), entry('name'));
    add(byName, normalise(s.id), entry('name'));
    for (const n of s.synonyms ?? []) add(byName, normalise(n), entry('synonym'));
    for (const n of s.brands ?? []) add(byName, normalise(n), entry('brand'));
    for (const code of s.atc) if (code.length === 7) add(byCode, `atc:${code}`, entry('name'));
    for (const code of s.rxnorm ?? []) add(byCode, `rxnorm:${code}`, entry('name'));
  }
  const byClass = new Map<string, NameEntry[]>();
  for (const c of classes) {
    const members = substances.filter((s) => s.classes.includes(c.id));
    const entries = members.map((s): NameEntry => ({ kind: 'name', target: s.id, substances: [s] }));
    for (const key of [classKey(c.name), classKey(c.id)]) byClass.set(key, entries);
  }
  const byVariant = variantsOf(byName);
  // A name that a substance has, also as other languages write it, is covered.
  const free = new Map(
    uncovered
      .filter((name) => name !== '' && !byVariant.has(variantKey(name) ?? ''))
      .filter((name) => !byName.has(normalise(name)) && !byName.has(withoutSalt(normalise(name))))
      .map((name) => [normalise(name), name]),
  );
  return {
    byName,
    byCode,
    byClass,
    byLength: keysByLength(byName.keys()),
    byVariant,
    uncovered: free,
    uncoveredByLength: keysByLength(free.keys()),
  };
}

/** Adds trade names and synonyms that stand in files of their own to the substances they belong to. */
function addNames(
  records: readonly SubstanceRecord[],
  lists: ReadonlyMap<string, readonly string[]>,
  file: string,
  mistakes: string[],
): void {
  const byId = new Map(records.map((record) => [record.id, record]));
  const kind = file.startsWith('brands') ? 'brands' : file.startsWith('rxnorm') ? 'rxnorm' : 'synonyms';
  for (const [id, names] of lists) {
    const record = byId.get(id);
    if (!record) mistakes.push(`names/${file}: unknown substance ${id}`);
    else record[kind] = [...new Set([...(record[kind] ?? []), ...names])];
  }
}

/** Names and synonyms by their levelled spelling. A key that two drugs share means neither. */
function variantsOf(byName: ReadonlyMap<string, readonly NameEntry[]>): ReadonlyMap<string, NameEntry> {
  const found = new Map<string, NameEntry | null>();
  for (const [name, entries] of byName) {
    const [entry] = entries;
    const key = variantKey(name);
    if (!entry || key === null || entry.kind === 'brand') continue;
    const held = found.get(key);
    if (held === undefined) found.set(key, entry);
    else if (held?.target !== entry.target) found.set(key, null);
  }
  return new Map([...found].filter((each): each is [string, NameEntry] => each[1] !== null));
}

/** Adds products written as `substance + substance: names`; those of one set of substances are one product. */
function addCombinations(combinations: Combination[], lists: ReadonlyMap<string, readonly string[]>): void {
  const keyOf = (substances: readonly string[]): string => [...substances].sort().join('+');
  const byKey = new Map(combinations.map((each) => [keyOf(each.substances), each]));
  for (const [written, brands] of lists) {
    const substances = written.split('+').map((id) => id.trim());
    const held = byKey.get(keyOf(substances));
    if (held) {
      held.brands = [...new Set([...(held.brands ?? []), ...brands])];
      continue;
    }
    const id = substances.join('-');
    const made: Combination = {
      id,
      name: substances.join(' ').replaceAll('-', ' '),
      substances,
      brands: [...brands],
      atc: [],
    };
    combinations.push(made);
    byKey.set(keyOf(substances), made);
  }
}
