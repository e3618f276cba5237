import { createHash } from 'node:crypto';
import type { KnowledgeKind } from '@perennial/schemas/resources/knowledge.ts';
import type { Context, Handler, Handlers } from '../http/operations.ts';
import type { ById } from './catalogue.ts';
import { toItem } from './entries.ts';
import { type MemoryOrder, pageOf } from './list.ts';
import type { Related } from './related.ts';
import { fold } from './search/fold.ts';
import type { Match } from './search/search.ts';
import { type Filters, type KnowledgeService, recordOf } from './service.ts';

/** The operations of the category. @param secret signs the cursors; the gateway shares it. */
export function knowledgeHandlers(knowledge: KnowledgeService, secret: string): Handlers {
  const kind = <Row, Item>(name: string, parameter: string, own: Kind<Row, Item>): Handlers => ({
    [`${name}.list`]: fresh(knowledge, secret, async (context) => ({
      data: pageOf(context, secret, own.list(filtersOf(context)), own.order, own.toItem),
    })),
    [`${name}.get`]: fresh(knowledge, null, async ({ params }) => ({
      data: own.toItem(knowledge.get(own.all(), params[parameter] as string)),
    })),
  });
  return {
    'knowledge.get': fresh(knowledge, null, async () => ({ data: knowledge.base() })),
    'knowledge.search': fresh(knowledge, secret, async (context) => {
      const found = knowledge.search.find(context.query['query'] as string, kindOf(context));
      const data = pageOf(context, secret, found, matchOrder, (match) => ({
        item: toItem(match.item),
        score: match.score,
        highlights: knowledge.search.highlights(match),
      }));
      return { data };
    }),
    'knowledge.related': fresh(knowledge, secret, async (context) => {
      const found = knowledge.related(context.params['entity_id'] as string, kindOf(context));
      const data = pageOf(context, secret, found, relatedOrder, ({ item, relation, score, reason }) => ({
        item: toItem(item),
        relation,
        score,
        reason,
      }));
      return { data };
    }),
    ...kind('knowledgeConditions', 'condition_id', {
      all: () => knowledge.catalogue.conditions,
      list: (filters) => knowledge.listConditions(filters),
      order: byName(),
      toItem: (row) => knowledge.entries.condition(row),
    }),
    ...kind('knowledgeFindings', 'finding_id', {
      all: () => knowledge.catalogue.findings,
      list: (filters) => knowledge.listFindings(filters),
      order: byName(),
      toItem: (row) => knowledge.entries.finding(row),
    }),
    ...kind('knowledgeTreatments', 'treatment_id', {
      all: () => knowledge.catalogue.treatments,
      list: (filters) => knowledge.listTreatments(filters),
      order: byName(),
      toItem: (row) => knowledge.entries.treatment(row),
    }),
    ...kind('knowledgeMedications', 'medication_id', {
      all: () => knowledge.catalogue.medications,
      list: (filters) => knowledge.listMedications(filters),
      order: {
        fields: { name: (row) => fold(recordOf(row).name), id: (row) => recordOf(row).id },
        byDefault: 'name',
        unique: 'id',
      },
      toItem: (row) => knowledge.entries.medication(row),
    }),
    ...kind('knowledgeGuidelines', 'guideline_id', {
      all: () => knowledge.catalogue.guidelines,
      list: (filters) => knowledge.listGuidelines(filters),
      order: { fields: { title: ({ title }) => fold(title), id: ({ id }) => id }, byDefault: 'title', unique: 'id' },
      toItem: (row) => knowledge.entries.guideline(row),
    }),
    ...kind('knowledgeRedFlags', 'red_flag_id', {
      all: () => knowledge.catalogue.redFlags,
      list: (filters) => knowledge.listRedFlags(filters),
      order: byName(),
      toItem: (row) => knowledge.entries.redFlag(row),
    }),
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

function filtersOf({ query }: Context): Filters<string> {
  return Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function kindOf({ query }: Context): KnowledgeKind | undefined {
  return query['kind'] as KnowledgeKind | undefined;
}

/**
 * Tags an answer with the state of the knowledge. The answer is made all the same: what does not exist is never "not
 * modified".
 * @param secret of a list: its cursors are sealed with it, so a page that was kept from before it changed is stale.
 */
export function fresh(knowledge: KnowledgeService, secret: string | null, handler: Handler): Handler {
  let revision: number | undefined;
  return async (context) => {
    revision ??= secret === null ? knowledge.catalogue.revision : sealed(knowledge.catalogue.revision, secret);
    return { ...(await handler(context)), revision };
  };
}

function sealed(revision: number, secret: string): number {
  return createHash('sha256').update(`knowledge:${revision}:${secret}`).digest().readUIntBE(0, 6);
}
