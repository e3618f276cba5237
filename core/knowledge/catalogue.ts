import { createHash } from 'node:crypto';
import type {
  EntityKind,
  KnowledgeItem,
  KnowledgeKind,
  KnowledgeSource,
} from '@perennial/schemas/resources/knowledge.ts';
import type { Combination, MedicationKnowledge, Substance } from '../medications/types.ts';
import { EvidenceBase } from './evidence.ts';
import { KnowledgeError } from './load.ts';
import { specialtyNames } from './names.ts';
import { findDanglingMedications } from './references.ts';
import type { Condition, Finding, Guideline, Knowledge, RedFlag, Treatment } from './types.ts';

/** A substance or a product that combines several. */
export type Medication =
  | { readonly type: 'substance'; readonly substance: Substance }
  | { readonly type: 'combination'; readonly combination: Combination };

/** Any entry or group, and the texts by which it is found. */
export interface Item extends KnowledgeItem {
  /** Position in the catalogue: the number of its node in the graph. */
  readonly index: number;
  readonly kind: EntityKind;
  readonly synonyms: readonly string[];
  readonly brands: readonly string[];
}

/** Everything of one kind by id, in the order of the files. */
export type ById<T> = ReadonlyMap<string, T>;

/** The knowledge base and the medication knowledge as one, with every entry found by its id. */
export class Catalogue {
  readonly knowledge: Knowledge;
  readonly medicationKnowledge: MedicationKnowledge;
  readonly conditions: ById<Condition>;
  readonly findings: ById<Finding>;
  readonly treatments: ById<Treatment>;
  readonly medications: ById<Medication>;
  readonly guidelines: ById<Guideline>;
  readonly redFlags: ById<RedFlag>;
  /** All entries and groups; the index of each is its position. */
  readonly items: readonly Item[];
  readonly #byKind: ReadonlyMap<string, ReadonlyMap<string, Item>>;
  readonly evidence: EvidenceBase;
  readonly #sources: ReadonlyMap<string, KnowledgeSource>;
  #revision: number | undefined;

  /** @throws KnowledgeError when an entry names a medication that does not exist. */
  constructor(knowledge: Knowledge, medicationKnowledge: MedicationKnowledge) {
    const dangling = findDanglingMedications(knowledge, medicationKnowledge);
    if (dangling.length > 0) throw new KnowledgeError(dangling);
    this.knowledge = knowledge;
    this.medicationKnowledge = medicationKnowledge;
    this.conditions = byId(knowledge.conditions);
    this.findings = byId(knowledge.findings);
    this.treatments = byId(knowledge.treatments);
    this.guidelines = byId(knowledge.guidelines);
    this.redFlags = byId(knowledge.red_flags);
    this.medications = new Map<string, Medication>([
      ...medicationKnowledge.substances.map((each) => [each.id, { type: 'substance', substance: each }] as const),
      ...medicationKnowledge.combinations.map((each) => [each.id, { type: 'combination', combination: each }] as const),
    ]);
    this.evidence = new EvidenceBase(knowledge);
    this.items = itemsOf(this);
    this.#byKind = byKind(this.items);
    this.#sources = new Map(knowledge.sources.map((source) => [source.id, sourceOf(source)]));
  }

  /** The entry or group of this kind, or undefined. */
  item(kind: EntityKind, id: string): Item | undefined {
    return this.#byKind.get(kind)?.get(id);
  }

  /** The entry or group, by its identifier among all kinds. */
  entity(entityId: string): Item | undefined {
    const colon = entityId.indexOf(':');
    return this.#byKind.get(entityId.slice(0, Math.max(0, colon)))?.get(entityId.slice(colon + 1));
  }

  /** The name of a substance or of a class of them. */
  medicationName(id: string): string {
    return (this.item('medication', id) ?? this.item('medication_class', id))?.name ?? id;
  }

  /** A source that the checks at load found to be there. */
  source(id: string): KnowledgeSource {
    return this.#sources.get(id) as KnowledgeSource;
  }

  /** A source of the medication knowledge. */
  medicationSource(id: string): KnowledgeSource | undefined {
    const source = this.medicationKnowledge.sources.get(id);
    if (!source) return undefined;
    const { title, publisher, year, url } = source;
    return { id, title, organisation: publisher, year, url: url ?? null };
  }

  /**
   * A number that names what the knowledge says: the first 48 bits of a hash of all of it, so that a change that
   * forgot to raise the version is still a change. Worked out when it is first asked for.
   */
  get revision(): number {
    this.#revision ??= hashOf(this.knowledge, this.medicationKnowledge);
    return this.#revision;
  }
}

function byId<T extends { readonly id: string }>(entries: readonly T[]): ById<T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

function byKind(items: readonly Item[]): ReadonlyMap<string, ReadonlyMap<string, Item>> {
  const kinds = new Map<string, Map<string, Item>>();
  for (const item of items) {
    const known = kinds.get(item.kind);
    if (known) known.set(item.id, item);
    else kinds.set(item.kind, new Map([[item.id, item]]));
  }
  return kinds;
}

function sourceOf({ id, title, organisation, year, url, identifier }: Knowledge['sources'][number]): KnowledgeSource {
  return { id, title, organisation: organisation ?? null, year, url, identifier: identifier ?? null };
}

function hashOf(knowledge: Knowledge, medications: MedicationKnowledge): number {
  const hash = createHash('sha256');
  for (const part of [
    knowledge,
    medications.version,
    medications.substances.map(({ grades, ...substance }) => [substance, [...grades]]),
    medications.combinations,
    medications.rules.rules.map(({ rule }) => rule),
    medications.patientRules.map(({ rule }) => rule),
    [...medications.classes.values()],
  ])
    hash.update(JSON.stringify(part));
  return hash.digest().readUIntBE(0, 6);
}

function itemsOf(catalogue: Catalogue): Item[] {
  const items: Item[] = [];
  const add = (
    kind: EntityKind,
    id: string,
    name: string,
    more: Partial<Pick<Item, 'summary' | 'codes' | 'synonyms' | 'brands'>> = {},
  ): void => {
    const { summary = null, codes = [], synonyms = [], brands = [] } = more;
    items.push({ index: items.length, entity_id: `${kind}:${id}`, kind, id, name, summary, codes, synonyms, brands });
  };
  const { knowledge, medicationKnowledge } = catalogue;
  for (const { id, name, summary, icd10, synonyms } of knowledge.conditions)
    add('condition', id, name, { summary, codes: icd10.map((code) => ({ system: 'icd10', code })), synonyms });
  for (const { id, name, synonyms } of knowledge.findings) add('finding', id, name, { synonyms });
  for (const { id, name, notes } of knowledge.treatments) add('treatment', id, name, { summary: notes });
  for (const { id, name, atc, rxnorm = [], synonyms = [], brands = [] } of medicationKnowledge.substances)
    add('medication', id, name, { codes: medicationCodes(atc, rxnorm), synonyms, brands });
  for (const { id, name, atc, synonyms = [], brands = [] } of medicationKnowledge.combinations)
    add('medication', id, name, { codes: medicationCodes(atc, []), synonyms, brands });
  for (const { id, title, summary } of knowledge.guidelines) add('guideline', id, title, { summary });
  for (const { id, name, message } of knowledge.red_flags) add('red_flag', id, name, { summary: message });
  for (const { id, name } of medicationKnowledge.classes.values()) add('medication_class', id, name);
  for (const specialty of new Set(
    [...knowledge.conditions, ...knowledge.guidelines].map((each) => each.specialty).sort(),
  ))
    add('category', `specialty-${specialty}`, specialtyNames[specialty] ?? readable(specialty));
  for (const region of new Set(knowledge.findings.map((each) => each.region).sort()))
    add('category', `region-${region}`, `${readable(region)} (findings)`);
  return items;
}

function medicationCodes(atc: readonly string[], rxnorm: readonly string[]): KnowledgeItem['codes'] {
  return [
    ...atc.map((code) => ({ system: 'atc', code }) as const),
    ...rxnorm.map((code) => ({ system: 'rxnorm', code }) as const),
  ];
}

/** "infectious_disease" as a reader would write it. */
function readable(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where entries of a kind are listed, below the version. */
export const kindPaths: Readonly<Record<KnowledgeKind, string>> = {
  condition: '/knowledge/conditions',
  finding: '/knowledge/findings',
  treatment: '/knowledge/treatments',
  medication: '/knowledge/medications',
  guideline: '/knowledge/guidelines',
  red_flag: '/knowledge/red-flags',
};
