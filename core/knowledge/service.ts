import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { type KnowledgeBase, type KnowledgeKind, knowledgeKinds } from '@perennial/schemas/resources/knowledge.ts';
import type { MedicationKnowledge } from '../medications/types.ts';
import { type ById, Catalogue, kindPaths, type Medication } from './catalogue.ts';
import { disclaimer } from './disclaimer.ts';
import { Entries } from './entries.ts';
import { GraphService } from './graph/service.ts';
import { plainCode } from './graph/statements.ts';
import { type Related, relatedTo } from './related.ts';
import { fold } from './search/fold.ts';
import { Search } from './search/search.ts';
import type { Condition, Finding, Guideline, Knowledge, RedFlag, Treatment } from './types.ts';

/** Filters of a list, by the names of the contract; a filter that is undefined selects nothing out. */
export type Filters<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** The knowledge base, for reading. Nothing in it changes while the process runs. */
export class KnowledgeService {
  readonly catalogue: Catalogue;
  readonly graphs: GraphService;
  readonly search: Search;
  #entries: Entries | undefined;

  /** @throws KnowledgeError when an entry names a medication that does not exist. */
  constructor(knowledge: Knowledge, medications: MedicationKnowledge) {
    this.catalogue = new Catalogue(knowledge, medications);
    this.graphs = new GraphService(this.catalogue);
    this.search = new Search(this.catalogue);
  }

  /** Entries in the shapes of the contract. */
  get entries(): Entries {
    this.#entries ??= new Entries(this.catalogue);
    return this.#entries;
  }

  /** Builds what the first search and the first question to the graph would otherwise wait for. */
  prepare(): void {
    this.search.prepare();
    this.graphs.prepare();
    this.graphs.graph.prepareInteractions();
  }

  /** What the knowledge base holds. */
  base(): KnowledgeBase {
    const { knowledge, medicationKnowledge } = this.catalogue;
    return {
      knowledge_version: knowledge.version,
      medication_knowledge_version: medicationKnowledge.version,
      kinds: knowledgeKinds.map((kind) => ({ kind, count: this.#all(kind).size, path: kindPaths[kind] })),
      disclaimer,
    };
  }

  /** An entry of one kind. @throws Fault `not_found` */
  get<T>(entries: ById<T>, id: string): T {
    const entry = entries.get(id);
    if (entry === undefined) throw new Fault('not_found');
    return entry;
  }

  listConditions(
    filters: Filters<'name' | 'specialty' | 'urgency' | 'icd10' | 'finding_id' | 'treatment_id'>,
  ): Condition[] {
    const { specialty, urgency, icd10, finding_id: finding, treatment_id: treatment } = filters;
    const isNamed = named(filters.name);
    const code = icd10 === undefined ? undefined : plainCode(icd10);
    return this.catalogue.knowledge.conditions.filter(
      (each) =>
        isNamed(each.name, ...each.synonyms) &&
        (specialty === undefined || each.specialty === specialty) &&
        (urgency === undefined || each.urgency === urgency) &&
        (code === undefined || each.icd10.some((one) => plainCode(one).startsWith(code))) &&
        (finding === undefined || [...each.findings, ...each.risk_factors].some((one) => one.finding === finding)) &&
        (treatment === undefined || each.treatments.includes(treatment)),
    );
  }

  listFindings(filters: Filters<'name' | 'category' | 'region'>): Finding[] {
    const { category, region } = filters;
    const isNamed = named(filters.name);
    return this.catalogue.knowledge.findings.filter(
      (each) =>
        isNamed(each.name) &&
        (category === undefined || each.category === category) &&
        (region === undefined || each.region === region),
    );
  }

  listTreatments(filters: Filters<'name' | 'kind' | 'condition_id'>): Treatment[] {
    const { kind, condition_id: conditionId } = filters;
    const isNamed = named(filters.name);
    const usual = conditionId === undefined ? undefined : this.catalogue.conditions.get(conditionId)?.treatments;
    return this.catalogue.knowledge.treatments.filter(
      (each) =>
        isNamed(each.name) &&
        (kind === undefined || each.kind === kind) &&
        (conditionId === undefined || (usual ?? []).includes(each.id)),
    );
  }

  listMedications(filters: Filters<'name' | 'atc' | 'rxnorm' | 'class_id'>): Medication[] {
    const { atc, rxnorm, class_id: classId } = filters;
    const isNamed = named(filters.name);
    return [...this.catalogue.medications.values()].filter((each) => {
      const { name, synonyms = [], brands = [], atc: codes } = recordOf(each);
      return (
        isNamed(name, ...synonyms, ...brands) &&
        (atc === undefined || codes.some((code) => code.startsWith(atc.toUpperCase()))) &&
        (rxnorm === undefined || (each.type === 'substance' && (each.substance.rxnorm ?? []).includes(rxnorm))) &&
        (classId === undefined || (each.type === 'substance' && each.substance.classes.includes(classId)))
      );
    });
  }

  listGuidelines(filters: Filters<'title' | 'specialty' | 'condition_id'>): Guideline[] {
    const { specialty, condition_id: condition } = filters;
    const isNamed = named(filters.title);
    return this.catalogue.knowledge.guidelines.filter(
      (each) =>
        isNamed(each.title) &&
        (specialty === undefined || each.specialty === specialty) &&
        (condition === undefined || each.conditions.includes(condition)),
    );
  }

  listRedFlags(filters: Filters<'name' | 'urgency' | 'finding_id'>): RedFlag[] {
    const { urgency, finding_id: finding } = filters;
    const isNamed = named(filters.name);
    return this.catalogue.knowledge.red_flags.filter(
      (each) =>
        isNamed(each.name) &&
        (urgency === undefined || each.urgency === urgency) &&
        (finding === undefined || each.when.some((group) => group.includes(finding))),
    );
  }

  /** What has to do with an entry. @throws Fault `not_found` */
  related(entityId: string, kind: KnowledgeKind | undefined): Related[] {
    const item = this.catalogue.entity(entityId);
    if (!item) throw new Fault('not_found');
    return relatedTo(this.graphs.graph, item, kind);
  }

  #all(kind: KnowledgeKind): ById<unknown> {
    const { conditions, findings, treatments, medications, guidelines, redFlags } = this.catalogue;
    return {
      condition: conditions,
      finding: findings,
      treatment: treatments,
      medication: medications,
      guideline: guidelines,
      red_flag: redFlags,
    }[kind];
  }
}

/** The record of a substance or combination. */
export function recordOf(medication: Medication): MedicationRecord {
  return medication.type === 'substance' ? medication.substance : medication.combination;
}

/** What substances and combinations have in common. */
export interface MedicationRecord {
  readonly id: string;
  readonly name: string;
  readonly synonyms?: readonly string[];
  readonly brands?: readonly string[];
  readonly atc: readonly string[];
}

/** Whether any of the names has the part in it; all have it where none is asked for. */
function named(part: string | undefined): (...names: readonly string[]) => boolean {
  if (part === undefined) return () => true;
  const folded = fold(part);
  return (...names) => names.some((name) => fold(name).includes(folded));
}
