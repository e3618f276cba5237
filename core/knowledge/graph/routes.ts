import type { OperationId } from '@perennial/schemas/operation-types.ts';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import { PATH_LENGTH_MAX } from '@perennial/schemas/resources/knowledge-graph.ts';
import type { WithParams } from '../../platform/http/handler.ts';
import type { AnswersFor, AskedOf, PatientGraphId } from '../answers.ts';
import type { Item } from '../catalogue.ts';
import { toItem } from '../entries.ts';
import { type MemoryOrder, pageByNumber, pageOf } from '../list.ts';
import { fresh } from '../routes.ts';
import { fold } from '../search/fold.ts';
import type { KnowledgeService } from '../service.ts';
import { toNeighbour, toPath } from './answer.ts';
import { typesOf } from './parameters.ts';
import type { PathRequest } from './service.ts';

const PATHS_LENGTH_DEFAULT = 3;

type GraphOperationId = Exclude<Extract<OperationId, `knowledgeGraph.${string}`>, PatientGraphId>;

/** The operations of the knowledge graph. @param secret signs the cursors; the gateway shares it. */
export function knowledgeGraphHandlers(
  knowledge: KnowledgeService,
  secret: SharedSecret,
): AnswersFor<GraphOperationId> {
  return {
    'knowledgeGraph.get': fresh(knowledge, null, () => ({ data: knowledge.graphs.overview() })),
    'knowledgeGraph.listEntities': fresh(knowledge, secret, (context: AskedOf<'knowledgeGraph.listEntities'>) => {
      const { kind, name } = context.query;
      const part = name === undefined ? undefined : fold(name);
      const rows = knowledge.catalogue.items.filter(
        (item) => (kind === undefined || item.kind === kind) && (part === undefined || fold(item.name).includes(part)),
      );
      return { data: pageOf(context, secret, rows, entityOrder, toItem) };
    }),
    'knowledgeGraph.getEntity': fresh(knowledge, null, ({ params }: WithParams<'entity_id'>) => ({
      data: knowledge.graphs.entity(params.entity_id),
    })),
    'knowledgeGraph.listNeighbours': fresh(knowledge, secret, (context: AskedOf<'knowledgeGraph.listNeighbours'>) => {
      const { query } = context;
      const { node, links } = knowledge.graphs.neighbours(context.params.entity_id, {
        types: typesOf(context),
        kind: query.kind,
        direction: query.direction,
        minLikelihood: query.min_likelihood,
        minSeverity: query.min_severity,
      });
      const data = pageByNumber(
        context,
        secret,
        (most, isCounted) => ({ rows: links.slice(0, most), total: isCounted ? links.length : undefined }),
        (link) => toNeighbour(knowledge.graphs.graph, node, link),
      );
      return { data };
    }),
    'knowledgeGraph.shortestPath': fresh(knowledge, null, (context: AskedOf<'knowledgeGraph.shortestPath'>) => {
      const request = pathOf(context, PATH_LENGTH_MAX);
      const way = knowledge.graphs.shortestPath(request);
      return {
        data: {
          path: way ? toPath(knowledge.graphs.graph, way) : null,
          max_length: request.maxLength,
          knowledge_version: knowledge.catalogue.knowledge.version,
        },
      };
    }),
    'knowledgeGraph.listPaths': fresh(knowledge, secret, (context: AskedOf<'knowledgeGraph.listPaths'>) => {
      const request = pathOf(context, PATHS_LENGTH_DEFAULT);
      const data = pageByNumber(
        context,
        secret,
        (most, isCounted) => knowledge.graphs.paths(request, most, isCounted),
        (way) => toPath(knowledge.graphs.graph, way),
      );
      return { data };
    }),
    'knowledgeGraph.differential': ({ body }) => {
      const { condition_ids: ids, options } = body;
      return { data: knowledge.graphs.differential(ids, options?.maxFindings) };
    },
  };
}

const entityOrder: MemoryOrder<Item> = {
  fields: { name: ({ name }) => fold(name), entity_id: ({ entity_id }) => entity_id },
  byDefault: 'name',
  unique: 'entity_id',
};

type PathContext = AskedOf<'knowledgeGraph.shortestPath' | 'knowledgeGraph.listPaths'>;

function pathOf(context: PathContext, lengthByDefault: number): PathRequest {
  const { query } = context;
  return {
    from: query.from,
    to: query.to,
    types: typesOf(context),
    maxLength: query.max_length ?? lengthByDefault,
  };
}
