import { createHash } from 'node:crypto';
import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import type {
  KnowledgeCondition,
  KnowledgeFinding,
  KnowledgeGuideline,
  KnowledgeMedication,
  KnowledgeRedFlag,
  KnowledgeTreatment,
} from '@perennial/schemas/resources/knowledge.ts';
import type { Page } from '@perennial/schemas/resources/page.ts';
import type { AnyOutcome, DataOutcome, WithParams } from '../platform/http/handler.ts';
import type { AnswersFor, AnyAsked, AskedOf } from './answers.ts';
import type { ById, Medication } from './catalogue.ts';
import { toItem } from './entries.ts';
import { type MemoryOrder, pageOf } from './list.ts';
import type { Related } from './related.ts';
import { fold } from './search/fold.ts';
import type { Match } from './search/search.ts';
import { type Filters, type KnowledgeService, recordOf } from './service.ts';
import type { Condition, Finding, Guideline, RedFlag, Treatment } from './types.ts';

type KnowledgeOperationId = Exclude<Extract<OperationId, `knowledge${string}`>, `knowledgeGraph.${string}`>;

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function knowledgeHandlers(knowledge: KnowledgeService, secret: SharedSecret): AnswersFor<KnowledgeOperationId> {
  const list = <Row, Item>(own: Kind<Row, Item>): ((context: AnyAsked) => DataOutcome<Page<Item>>) =>
    fresh(knowledge, secret, (context: AnyAsked) => ({
      data: pageOf(context, secret, own.list(filtersOf(context)), own.order, own.toItem),
    }));
  const get = <Row, Item, Name extends string>(
    own: Kind<Row, Item>,
    parameter: Name,
  ): ((context: WithParams<Name>) => DataOutcome<Item>) =>
    fresh(knowledge, null, ({ params }: WithParams<Name>) => ({
      data: own.toItem(knowledge.get(own.all(), params[parameter])),
    }));

  const { catalogue, entries } = knowledge;
  const conditions: Kind<Condition, KnowledgeCondition> = {
    all: () => catalogue.conditions,
    list: (filters) => knowledge.listConditions(filters),
    order: byName(),
    toItem: (row) => entries.condition(row),
  };
  const findings: Kind<Finding, KnowledgeFinding> = {
    all: () => catalogue.findings,
    list: (filters) => knowledge.listFindings(filters),
    order: byName(),
    toItem: (row) => entries.finding(row),
  };
  const treatments: Kind<Treatment, KnowledgeTreatment> = {
    all: () => catalogue.treatments,
    list: (filters) => knowledge.listTreatments(filters),
    order: byName(),
    toItem: (row) => entries.treatment(row),
  };
  const medications: Kind<Medication, KnowledgeMedication> = {
    all: () => catalogue.medications,
    list: (filters) => knowledge.listMedications(filters),
    order: {
      fields: { name: (row) => fold(recordOf(row).name), id: (row) => recordOf(row).id },
      byDefault: 'name',
      unique: 'id',
    },
    toItem: (row) => entries.medication(row),
  };
  const guidelines: Kind<Guideline, KnowledgeGuideline> = {
    all: () => catalogue.guidelines,
    list: (filters) => knowledge.listGuidelines(filters),
    order: { fields: { title: ({ title }) => fold(title), id: ({ id }) => id }, byDefault: 'title', unique: 'id' },
    toItem: (row) => entries.guideline(row),
  };
  const redFlags: Kind<RedFlag, KnowledgeRedFlag> = {
    all: () => catalogue.redFlags,
    list: (filters) => knowledge.listRedFlags(filters),
    order: byName(),
    toItem: (row) => entries.redFlag(row),
  };

  return {
    'knowledge.get': fresh(knowledge, null, () => ({ data: knowledge.base() })),
    'knowledge.search': fresh(knowledge, secret, (context: AskedOf<'knowledge.search'>) => {
      const found = knowledge.search.find(context.query.query, context.query.kind);
      const data = pageOf(context, secret, found, matchOrder, (match) => ({
        item: toItem(match.item),
        score: match.score,
        highlights: knowledge.search.highlights(match),
      }));
      return { data };
    }),
    'knowledge.related': fresh(knowledge, secret, (context: AskedOf<'knowledge.related'>) => {
      const found = knowledge.related(context.params.entity_id, context.query.kind);
      const data = pageOf(context, secret, found, relatedOrder, ({ item, relation, score, reason }) => ({
        item: toItem(item),
        relation,
        score,
        reason,
      }));
      return { data };
    }),
    'knowledgeConditions.list': list(conditions),
    'knowledgeConditions.get': get(conditions, 'condition_id'),
    'knowledgeFindings.list': list(findings),
    'knowledgeFindings.get': get(findings, 'finding_id'),
    'knowledgeTreatments.list': list(treatments),
    'knowledgeTreatments.get': get(treatments, 'treatment_id'),
    'knowledgeMedications.list': list(medications),
    'knowledgeMedications.get': get(medications, 'medication_id'),
    'knowledgeGuidelines.list': list(guidelines),
    'knowledgeGuidelines.get': get(guidelines, 'guideline_id'),
    'knowledgeRedFlags.list': list(redFlags),
    'knowledgeRedFlags.get': get(redFlags, 'red_flag_id'),
  };
}

/** How entries of one kind are found, ordered and answered. */
interface Kind<Row, Item> {
  readonly all: () => ById<Row>;
  readonly list: (filters: Filters<string>) => readonly Row[];
  readonly order: MemoryOrder<Row>;
  readonly toItem: (row: Row) => Item;
}

function byName<Row extends { readonly id: string; readonly name: string }>(): MemoryOrder<Row> {
  return { fields: { name: ({ name }) => fold(name), id: ({ id }) => id }, byDefault: 'name', unique: 'id' };
}

const matchOrder: MemoryOrder<Match> = {
  fields: { score: ({ score }) => -score, entity_id: ({ item }) => item.entity_id },
  byDefault: 'score',
  unique: 'entity_id',
};

const relatedOrder: MemoryOrder<Related> = {
  fields: { score: ({ score }) => -score, entity_id: ({ item }) => item.entity_id },
  byDefault: 'score',
  unique: 'entity_id',
};

function filtersOf({ query }: AnyAsked): Filters<string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/**
 * Tags an answer with the state of the knowledge. The answer is made all the same: what does not exist is never "not
 * modified".
 * @param secret of a list: its cursors are sealed with it, so a page that was kept from before it changed is stale.
 */
export function fresh<C, O extends AnyOutcome>(
  knowledge: KnowledgeService,
  secret: SharedSecret | null,
  handler: (context: C) => O,
): (context: C) => O & { readonly revision: number } {
  let revision: number | undefined;
  return (context) => {
    revision ??= secret === null ? knowledge.catalogue.revision : sealed(knowledge.catalogue.revision, secret);
    return { ...handler(context), revision };
  };
}

function sealed(revision: number, secret: SharedSecret): number {
  return createHash('sha256').update(`knowledge:${revision}:${secret.current}`).digest().readUIntBE(0, 6);
}
