import type { EntityKind } from '@perennial/schemas/resources/knowledge.ts';
import {
  type DifferentialGraphRequest,
  PATH_LENGTH_MAX,
  type RelationshipType,
} from '@perennial/schemas/resources/knowledge-graph.ts';
import type { Context, Handlers } from '../../http/operations.ts';
import type { Severity } from '../../medications/types.ts';
import type { Item } from '../catalogue.ts';
import { toItem } from '../entries.ts';
import { type MemoryOrder, pageByNumber, pageOf } from '../list.ts';
import { fresh } from '../routes.ts';
import { fold } from '../search/fold.ts';
import type { KnowledgeService } from '../service.ts';
import { toNeighbour, toPath } from './answer.ts';
import type { PathRequest } from './service.ts';

const PATHS_LENGTH_DEFAULT = 3;
const PATIENT_DEPTH_DEFAULT = 1;
const PATIENT_ENTITIES_DEFAULT = 100;

/** The operations of the knowledge graph. @param secret signs the cursors; the gateway shares it. */
export function knowledgeGraphHandlers(knowledge: KnowledgeService, secret: string): Handlers {
  return {
    'knowledgeGraph.get': fresh(knowledge, null, async () => ({ data: knowledge.graphs.overview() })),
    'knowledgeGraph.listEntities': fresh(knowledge, secret, async (context) => {
      const { kind, name } = context.query;
      const part = typeof name === 'string' ? fold(name) : undefined;
      const rows = knowledge.catalogue.items.filter(
        (item) => (kind === undefined || item.kind === kind) && (part === undefined || fold(item.name).includes(part)),
      );
      return { data: pageOf(context, secret, rows, entityOrder, toItem) };
    }),
    'knowledgeGraph.getEntity': fresh(knowledge, null, async ({ params }) => ({
      data: knowledge.graphs.entity(params['entity_id'] as string),
    })),
    'knowledgeGraph.listNeighbours': fresh(knowledge, secret, async (context) => {
      const { query } = context;
      const { node, links } = knowledge.graphs.neighbours(context.params['entity_id'] as string, {
        types: typesOf(context),
        kind: query['kind'] as EntityKind | undefined,
        direction: query['direction'] as 'out' | 'in' | undefined,
        minLikelihood: query['min_likelihood'] as number | undefined,
        minSeverity: query['min_severity'] as Severity | undefined,
      });
      const data = await pageByNumber(
        context,
        secret,
        async (most, isCounted) => ({ rows: links.slice(0, most), total: isCounted ? links.length : undefined }),
        (link) => toNeighbour(knowledge.graphs.graph, node, link),
      );
      return { data };
    }),
    'knowledgeGraph.shortestPath': fresh(knowledge, null, async (context) => {
      const request = pathOf(context, PATH_LENGTH_MAX);
      const way = await knowledge.graphs.shortestPath(request);
      return {
        data: {
          path: way ? toPath(knowledge.graphs.graph, way) : null,
          max_length: request.maxLength,
          knowledge_version: knowledge.catalogue.knowledge.version,
        },
      };
    }),
    'knowledgeGraph.listPaths': fresh(knowledge, secret, async (context) => {
      const request = pathOf(context, PATHS_LENGTH_DEFAULT);
      const data = await pageByNumber(
        context,
        secret,
        (most, isCounted) => knowledge.graphs.paths(request, most, isCounted),
        (way) => toPath(knowledge.graphs.graph, way),
      );
      return { data };
    }),
    'knowledgeGraph.patient': async (context) => {
      const { caller, params, query } = context;
      const data = await knowledge.graphs.patient(
        caller,
        params['patient_id'] as string,
        {
          types: typesOf(context),
          depth: numberOf(query['depth'], PATIENT_DEPTH_DEFAULT),
          limit: numberOf(query['limit'], PATIENT_ENTITIES_DEFAULT),
        },
        new Date(),
      );
      return { data };
    },
    'knowledgeGraph.differential': async ({ body }) => {
      const { condition_ids: ids, options } = body as DifferentialGraphRequest;
      return { data: knowledge.graphs.differential(ids, options?.maxFindings) };
    },
  };
}

const entityOrder: MemoryOrder<Item> = {
  fields: { name: ({ name }) => fold(name), entity_id: ({ entity_id }) => entity_id },
  byDefault: 'name',
  unique: 'entity_id',
};

function typesOf({ query }: Context): RelationshipType[] | undefined {
  const { types } = query;
  return typeof types === 'string' ? (types.split(',') as RelationshipType[]) : undefined;
}

function pathOf(context: Context, lengthByDefault: number): PathRequest {
  const { query } = context;
  return {
    from: query['from'] as string,
    to: query['to'] as string,
    types: typesOf(context),
    maxLength: numberOf(query['max_length'], lengthByDefault),
  };
}

function numberOf(value: Context['query'][string] | undefined, byDefault: number): number {
  return typeof value === 'number' ? value : byDefault;
}
