import { Fault, invalid, invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { PatientId } from '@perennial/schemas/platform/ids.ts';
import { type EntityKind, entityKinds } from '@perennial/schemas/resources/knowledge.ts';
import {
  type DifferentialGraph,
  type GraphEntity,
  type KnowledgeGraph,
  type PatientGraph,
  type RelationshipType,
  relationshipTypes,
} from '@perennial/schemas/resources/knowledge-graph.ts';
import { faultAt } from '@perennial/schemas/validation.ts';
import { severityRank } from '../../medications/judge.ts';
import type { Severity } from '../../medications/types.ts';
import type { Catalogue, Item } from '../catalogue.ts';
import { disclaimer } from '../disclaimer.ts';
import { toItem } from '../entries.ts';
import type { Condition } from '../types.ts';
import { toRelationship } from './answer.ts';
import { separationsOf } from './differential.ts';
import { Graph, type Link } from './graph.ts';
import { allPaths, PATHS_MAX, type PathQuestion, shortestPath, type Way } from './paths.ts';
import { around, type Surroundings } from './patient.ts';
import { Recogniser } from './recognise.ts';
import { type GraphRecord, RECORDS_MAX } from './records-store.ts';
import { allTypes, hasType, pathTypes, TooBroad, type TypeSet, typeSet } from './types.ts';

/** What neighbours are asked for. */
export interface NeighbourFilter {
  readonly types: readonly RelationshipType[] | undefined;
  readonly kind: EntityKind | undefined;
  readonly direction: 'out' | 'in' | undefined;
  readonly minLikelihood: number | undefined;
  readonly minSeverity: Severity | undefined;
}

/** What paths are asked for. */
export interface PathRequest {
  readonly from: string;
  readonly to: string;
  readonly types: readonly RelationshipType[] | undefined;
  readonly maxLength: number;
}

/** What part of the graph around a patient is asked for. */
export interface PatientRequest extends Omit<Surroundings, 'types'> {
  readonly types: readonly RelationshipType[] | undefined;
}

const FINDINGS_DEFAULT = 25;
const patientTypes: TypeSet = typeSet(['covers', 'treated_by']);

/** The knowledge graph. Built at the first question, or when it is told to. */
export class GraphService {
  readonly #catalogue: Catalogue;
  #graph: Graph | undefined;
  #recogniser: Recogniser | undefined;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Builds the graph now. */
  prepare(): void {
    this.#graph ??= new Graph(this.#catalogue);
  }

  /** The graph, built when it is first needed. */
  get graph(): Graph {
    this.#graph ??= new Graph(this.#catalogue);
    return this.#graph;
  }

  /** What the graph is made of. */
  overview(): KnowledgeGraph {
    const { items, knowledge } = this.#catalogue;
    return {
      entity_kinds: entityKinds.map((kind) => ({ kind, count: items.filter((item) => item.kind === kind).length })),
      relationship_types: relationshipTypes.map((type) => ({
        type,
        ...meanings[type],
        count: this.graph.count(type) ?? null,
        in_paths: (pathTypes & typeSet([type])) !== 0,
      })),
      knowledge_version: knowledge.version,
      disclaimer,
    };
  }

  /** @throws Fault `not_found` */
  entity(entityId: string): GraphEntity {
    const item = this.#find(entityId);
    const counts = new Map<string, GraphEntity['degrees'][number]>();
    for (const { edge } of this.graph.links(item.index)) {
      const direction = edge.from === item.index ? 'out' : 'in';
      const key = `${edge.type} ${direction}`;
      counts.set(key, { type: edge.type, direction, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return { item: toItem(item), degrees: [...counts.values()] };
  }

  /** @throws Fault `not_found` */
  neighbours(entityId: string, filter: NeighbourFilter): { readonly node: number; readonly links: readonly Link[] } {
    const { index: node } = this.#find(entityId);
    const { types, kind, direction, minLikelihood, minSeverity } = filter;
    const links = this.graph
      .links(node, types ? typeSet(types) : allTypes)
      .filter(
        ({ edge, other }) =>
          (kind === undefined || this.graph.item(other).kind === kind) &&
          (direction === undefined || (edge.from === node) === (direction === 'out')) &&
          (minLikelihood === undefined || (edge.likelihood ?? -1) >= minLikelihood) &&
          (minSeverity === undefined ||
            (edge.severity !== null && severityRank(edge.severity) <= severityRank(minSeverity))),
      );
    return { node, links };
  }

  /** @throws Fault `validation_failed` when an end does not exist or too much would have to be followed. */
  shortestPath(request: PathRequest): Way | undefined {
    const question = this.#question(request);
    return refusingBroad(() => shortestPath(this.graph, question), 'max_length');
  }

  /**
   * The first ways of all.
   * @param most how many are needed.
   * @param isCounted whether all must be counted.
   * @throws Fault `validation_failed` when an end does not exist or more is asked for than is listed.
   */
  paths(
    request: PathRequest,
    most: number,
    isCounted: boolean,
  ): { readonly rows: readonly Way[]; readonly total: number | undefined } {
    const question = this.#question(request);
    const wanted = isCounted ? PATHS_MAX + 1 : Math.min(most, PATHS_MAX + 1);
    const rows = refusingBroad(() => allPaths(this.graph, question, wanted), 'max_length');
    // One more than a page holds is needed only to know whether there are more.
    if (rows.length > PATHS_MAX && (isCounted || most > PATHS_MAX + 1))
      throw invalidParameter(isCounted ? 'include_total' : 'max_length', 'too_broad');
    return { rows: rows.slice(0, most), total: isCounted ? rows.length : undefined };
  }

  /** @param found what is on record of the patient: one more than the most that are read where there are more. */
  patient(patientId: PatientId, found: readonly GraphRecord[], request: PatientRequest): PatientGraph {
    const records = found.slice(0, RECORDS_MAX);
    this.#recogniser ??= new Recogniser(this.#catalogue);
    const recogniser = this.#recogniser;
    const read = records.map((record) => ({ record, recognition: recogniser.recognise(record) }));
    const recognised = read.flatMap(({ recognition }) => recognition ?? []);
    const types = request.types ? typeSet(request.types) : patientTypes;
    const { nodes, edges, isTruncated } = around(this.graph, recognised, { ...request, types });
    return {
      patient_id: patientId,
      recognized: recognised.map(({ record: { id, type }, items, matchedBy }) => ({
        record_id: id,
        type,
        entity_ids: items.map(({ entity_id }) => entity_id),
        matched_by: matchedBy,
      })),
      unrecognized: read.flatMap(({ record: { id, type }, recognition }) =>
        recognition ? [] : [{ record_id: id, type }],
      ),
      entities: nodes.map((node) => toItem(this.graph.item(node))),
      relationships: edges.map((edge) => toRelationship(this.graph, edge)),
      truncated: isTruncated || found.length > records.length,
      knowledge_version: this.#catalogue.knowledge.version,
      disclaimer,
    };
  }

  /** @throws Fault `validation_failed` naming the conditions that do not exist. */
  differential(conditionIds: readonly string[], maxFindings: number = FINDINGS_DEFAULT): DifferentialGraph {
    const conditions = this.#conditions(conditionIds);
    const items = conditions.map(({ id }) => this.#catalogue.item('condition', id) as Item);
    const all = separationsOf(this.#catalogue, conditions);
    const listed = all.slice(0, maxFindings);
    const wanted = new Set([...items, ...listed.map(({ finding }) => finding)].map(({ index }) => index));
    const edges = items.flatMap(({ index }) =>
      this.graph
        .links(index, typeSet(['has_finding', 'raises', 'differential_of']))
        .filter(({ edge, other }) => wanted.has(other) && (edge.type !== 'differential_of' || edge.from === index)),
    );
    return {
      conditions: items.map(toItem),
      findings: listed.map(({ finding, isShared, bits, likelihoods }) => ({
        finding: toItem(finding),
        shared: isShared,
        information_bits: bits,
        likelihoods: likelihoods.map(({ p, certainty }, index) => ({
          condition_id: (conditions[index] as Condition).id,
          likelihood: p,
          certainty,
        })),
      })),
      relationships: edges.map(({ edge }) => toRelationship(this.graph, edge)),
      shared_total: all.filter(({ isShared }) => isShared).length,
      findings_total: all.length,
      truncated: all.length > listed.length,
      knowledge_version: this.#catalogue.knowledge.version,
      disclaimer,
    };
  }

  #conditions(ids: readonly string[]): Condition[] {
    const found = ids.map((id) => this.#catalogue.conditions.get(id));
    const faults = found.flatMap((each, index) =>
      each ? [] : [faultAt(`/condition_ids/${index}`, 'not_allowed_value')],
    );
    if (faults.length > 0) throw invalid(faults);
    return found as Condition[];
  }

  #question({ from, to, types, maxLength }: PathRequest): PathQuestion {
    const end = (parameter: 'from' | 'to', entityId: string): number => {
      const item = this.#catalogue.entity(entityId);
      if (!item) throw invalidParameter(parameter, 'not_allowed_value');
      return item.index;
    };
    const question = {
      from: end('from', from),
      to: end('to', to),
      types: types ? typeSet(types) : pathTypes,
      maxLength,
    };
    if (hasType(question.types, 'interacts_with')) this.graph.prepareInteractions();
    return question;
  }

  #find(entityId: string): Item {
    const item = this.#catalogue.entity(entityId);
    if (!item) throw new Fault('not_found');
    return item;
  }
}

function refusingBroad<T>(answer: () => T, parameter: string): T {
  try {
    return answer();
  } catch (error) {
    if (error instanceof TooBroad) throw invalidParameter(parameter, 'too_broad');
    throw error;
  }
}

interface Meaning {
  readonly meaning: string;
  readonly from_kinds: EntityKind[];
  readonly to_kinds: EntityKind[];
}

const meanings: Readonly<Record<RelationshipType, Meaning>> = {
  has_finding: {
    meaning: 'Patients with the condition have the finding this often.',
    from_kinds: ['condition'],
    to_kinds: ['finding'],
  },
  raises: {
    meaning:
      'The risk factor makes the condition likelier; the likelihood is how often patients with it have the factor.',
    from_kinds: ['finding'],
    to_kinds: ['condition'],
  },
  treated_by: { meaning: 'The treatment is usual.', from_kinds: ['condition'], to_kinds: ['treatment'] },
  uses: {
    meaning: 'The treatment is given as the medication or as one of the class.',
    from_kinds: ['treatment'],
    to_kinds: ['medication', 'medication_class'],
  },
  contains: {
    meaning: 'The product contains the substance.',
    from_kinds: ['medication'],
    to_kinds: ['medication'],
  },
  contraindicated_in: {
    meaning: 'It should not be given, or only with great care, to who has it.',
    from_kinds: ['medication', 'treatment'],
    to_kinds: ['condition', 'finding'],
  },
  interacts_with: {
    meaning: 'Together they do harm of this severity, by the mechanism that the explanation names.',
    from_kinds: ['medication'],
    to_kinds: ['medication'],
  },
  covers: { meaning: 'The guideline speaks of the condition.', from_kinds: ['guideline'], to_kinds: ['condition'] },
  recommends: {
    meaning: 'The guideline speaks of the treatment or names the medication; read it for when.',
    from_kinds: ['guideline'],
    to_kinds: ['treatment', 'medication'],
  },
  differential_of: {
    meaning: 'They look alike, to the degree that the likelihood says; worked out from their findings.',
    from_kinds: ['condition'],
    to_kinds: ['condition'],
  },
  raised_by: {
    meaning: 'The finding is one of those that can raise the rule.',
    from_kinds: ['red_flag'],
    to_kinds: ['finding'],
  },
  is_a: {
    meaning: 'The first finding is a more specific form of the second.',
    from_kinds: ['finding'],
    to_kinds: ['finding'],
  },
  in_class: {
    meaning: 'The medication belongs to the class.',
    from_kinds: ['medication'],
    to_kinds: ['medication_class'],
  },
  in_category: {
    meaning: 'It belongs to the specialty or the region of the body.',
    from_kinds: ['condition', 'finding', 'guideline'],
    to_kinds: ['category'],
  },
};
