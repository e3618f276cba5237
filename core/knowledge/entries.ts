import type {
  EntityKind,
  KnowledgeCare,
  KnowledgeCondition,
  KnowledgeFinding,
  KnowledgeGuideline,
  KnowledgeItem,
  KnowledgeMedication,
  KnowledgeRedFlag,
  KnowledgeReference,
  KnowledgeTreatment,
} from '@perennial/schemas/resources/knowledge.ts';
import { careOf } from './care.ts';
import type { Catalogue, Item, Medication } from './catalogue.ts';
import type { Condition, Finding, Guideline, Likelihood, RedFlag, Treatment, VitalRule } from './types.ts';

/** Entries of the knowledge base in the shapes of the contract. */
export class Entries {
  readonly #catalogue: Catalogue;
  readonly #guidelinesOf: ReadonlyMap<string, readonly Guideline[]>;
  readonly #conditionsOf: ReadonlyMap<string, readonly Condition[]>;
  readonly #rulesOf: ReadonlyMap<string, readonly VitalRule[]>;

  constructor(catalogue: Catalogue) {
    const { conditions, guidelines, vitals } = catalogue.knowledge;
    this.#catalogue = catalogue;
    this.#guidelinesOf = groupBy(guidelines, (guideline) => guideline.conditions);
    this.#conditionsOf = groupBy(conditions, (condition) => condition.treatments);
    this.#rulesOf = groupBy(vitals.rules, ({ finding }) => [finding]);
  }

  condition(condition: Condition): KnowledgeCondition {
    const { id, name, synonyms, icd10, specialty, urgency, summary, incidence } = condition;
    return {
      id,
      name,
      synonyms,
      icd10,
      specialty,
      urgency,
      summary,
      incidence: {
        per_100k_encounters: incidence.per_100k_encounters,
        by_age: Object.entries(incidence.age).map(([band, factor]) => ({ band, factor })),
        by_sex: incidence.sex,
        certainty: incidence.certainty,
        source: this.#catalogue.source(incidence.source),
      },
      findings: condition.findings.map((each) => this.#likelihood(each)),
      risk_factors: condition.risk_factors.map((each) => this.#likelihood(each)),
      treatments: this.#refer('treatment', condition.treatments),
      care: condition.treatments.map((each) => this.#care(condition, each)),
      evidence: this.#catalogue.evidence.ofCondition(condition),
      guidelines: this.#refer(
        'guideline',
        (this.#guidelinesOf.get(id) ?? []).map((guideline) => guideline.id),
      ),
      sources: condition.sources.map((source) => this.#catalogue.source(source)),
      knowledge_version: this.#catalogue.knowledge.version,
    };
  }

  finding(finding: Finding): KnowledgeFinding {
    const { id, name, category, region, base_rate, implies, synonyms, absent_synonyms, loinc = [] } = finding;
    const { units } = this.#catalogue.knowledge.vitals;
    return {
      id,
      name,
      category,
      region,
      base_rate,
      implies: this.#refer('finding', implies),
      synonyms,
      absent_synonyms,
      loinc,
      measurements: (this.#rulesOf.get(id) ?? []).map(({ sign, age_min_years, age_max_years, min, max }) => ({
        sign,
        unit: units[sign],
        age_min_years,
        age_max_years,
        min,
        max,
      })),
      knowledge_version: this.#catalogue.knowledge.version,
    };
  }

  treatment({ id, name, kind, notes, contraindications, uses }: Treatment): KnowledgeTreatment {
    return {
      id,
      name,
      kind,
      notes,
      contraindications: this.#refer('finding', contraindications),
      uses: [
        ...this.#refer('medication', uses?.substances ?? []),
        ...this.#refer('medication_class', uses?.classes ?? []),
      ],
      conditions: this.#refer(
        'condition',
        (this.#conditionsOf.get(id) ?? []).map((condition) => condition.id),
      ),
      knowledge_version: this.#catalogue.knowledge.version,
    };
  }

  medication(medication: Medication): KnowledgeMedication {
    const { version: knowledge_version, byId } = this.#catalogue.medicationKnowledge;
    if (medication.type === 'substance') {
      const {
        id,
        name,
        synonyms = [],
        brands = [],
        atc,
        rxnorm = [],
        routes,
        classes,
        profiled,
      } = medication.substance;
      return {
        id,
        name,
        synonyms,
        brands,
        atc,
        rxnorm,
        routes,
        classes: this.#refer('medication_class', classes),
        substances: [],
        interactions_profiled: profiled,
        knowledge_version,
      };
    }
    const { id, name, synonyms = [], brands = [], atc, substances } = medication.combination;
    const parts = substances.flatMap((each) => byId.get(each) ?? []);
    return {
      id,
      name,
      synonyms,
      brands,
      atc,
      rxnorm: [],
      routes: [...new Set(parts.flatMap(({ routes }) => routes))],
      classes: this.#refer('medication_class', [...new Set(parts.flatMap(({ classes }) => classes))]),
      substances: this.#refer('medication', substances),
      interactions_profiled: parts.every(({ profiled }) => profiled),
      knowledge_version,
    };
  }

  guideline(guideline: Guideline): KnowledgeGuideline {
    const { id, title, specialty, population, summary, sources } = guideline;
    return {
      id,
      title,
      specialty,
      population,
      summary,
      recommendations: guideline.recommendations.map(({ text, topic, strength, source }) => ({
        text,
        topic,
        strength,
        source: this.#catalogue.source(source ?? (sources[0] as string)),
      })),
      conditions: this.#refer('condition', guideline.conditions),
      treatments: this.#refer('treatment', guideline.treatments),
      medications: this.#refer('medication', guideline.medications),
      sources: sources.map((source) => this.#catalogue.source(source)),
      knowledge_version: this.#catalogue.knowledge.version,
    };
  }

  redFlag(flag: RedFlag): KnowledgeRedFlag {
    const { id, name, message, urgency, when, unless, age_min_years, age_max_years, sex, source } = flag;
    return {
      id,
      name,
      message,
      urgency,
      when: when.map((group) => this.#refer('finding', group)),
      unless: this.#refer('finding', unless),
      age_min_years,
      age_max_years,
      sex,
      source: this.#catalogue.source(source),
      evidence: this.#catalogue.evidence.ofRedFlag(flag),
      knowledge_version: this.#catalogue.knowledge.version,
    };
  }

  #care(condition: Condition, id: string): KnowledgeCare {
    const treatment = this.#catalogue.treatments.get(id) as Treatment;
    const { line, for_whom, purpose, dose, checks, never_with } = careOf(condition, treatment);
    return {
      treatment_id: id,
      line,
      for_whom,
      purpose,
      dose,
      checks: [...checks],
      never_with: never_with.map((each) => this.#catalogue.medicationName(each)),
      evidence: this.#catalogue.evidence.ofCare(condition, treatment),
    };
  }

  #likelihood({ finding, p, certainty, essential = false }: Likelihood): KnowledgeCondition['findings'][number] {
    const { name } = this.#catalogue.findings.get(finding) as Finding;
    return { finding_id: finding, name, likelihood: p, certainty, essential };
  }

  #refer(kind: EntityKind, ids: readonly string[]): KnowledgeReference[] {
    return ids.map((id) => ({ kind, id, name: this.#catalogue.item(kind, id)?.name ?? id }));
  }
}

/** An entry or group in short. */
export function toItem({ entity_id, kind, id, name, summary, codes }: Item): KnowledgeItem {
  return { entity_id, kind, id, name, summary, codes };
}

/** Values by each of the keys that they have. */
function groupBy<T>(values: readonly T[], keysOf: (value: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values)
    for (const key of keysOf(value)) {
      const group = groups.get(key);
      if (group) group.push(value);
      else groups.set(key, [value]);
    }
  return groups;
}
