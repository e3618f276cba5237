import type { GoldenRequest } from '../exchange.ts';
import { get, type OperationRequests, send } from './words.ts';

/* Answers follow from the knowledge base, so what core answers is recorded. */

const graph = '/knowledge/graph';
const cold = `${graph}/entities/condition:common_cold`;
const ends = 'from=condition:asthma&to=medication:salbutamol';

const of = (operation: string, ...requests: readonly GoldenRequest[]): OperationRequests => ({
  operation: `knowledgeGraph.${operation}`,
  frozenCore: true,
  requests: () => requests,
});

export const knowledgeGraphRequests: readonly OperationRequests[] = [
  of('get', get('what it is made of', graph), get('with a parameter that there is not', `${graph}?kind=x`)),
  of(
    'listEntities',
    get('by name', `${graph}/entities?kind=condition&name=asthma&limit=1&sort=-name`),
    get('with the total', `${graph}/entities?kind=condition&name=common%20cold&include_total=true`),
    get('wrong values', `${graph}/entities?kind=rumour&sort=kind&limit=0`),
    get('a parameter of older versions', `${graph}/entities?offset=1`),
  ),
  of('getEntity', get('a condition', cold), get('one that there is not', `${graph}/entities/condition:xyzzy`)),
  of(
    'listNeighbours',
    get('by treatment', `${cold}/neighbours?types=treated_by&direction=out&limit=1`),
    get('wrong values', `${cold}/neighbours?types=loves&min_likelihood=2&min_severity=none_known`),
    get('of one that there is not', `${graph}/entities/condition:xyzzy/neighbours`),
  ),
  of(
    'shortestPath',
    get('from a condition to a medication', `${graph}/shortest-path?${ends}`),
    get('without ends, and too long', `${graph}/shortest-path?max_length=99`),
    get('from what there is not', `${graph}/shortest-path?from=condition:xyzzy&to=condition:asthma`),
  ),
  of(
    'listPaths',
    get('the first', `${graph}/paths?${ends}&max_length=2&limit=1`),
    get('wrong values', `${graph}/paths?from=condition:asthma&to=&types=loves&limit=0`),
  ),
  of(
    'patient',
    get('what the records stand for', `${graph}/patients/{patient}?depth=0&limit=3`),
    get('of one that there is not', `${graph}/patients/pat_00000000000000000000`),
    get('wrong values', `${graph}/patients/{patient}?depth=2&limit=0&types=loves`),
  ),
  of(
    'differential',
    send('POST', 'of two conditions', `${graph}/differential`, {
      condition_ids: ['common_warts', 'umbilical_granuloma'],
      options: { maxFindings: 2 },
    }),
    send('POST', 'with too few', `${graph}/differential`, { condition_ids: ['asthma'] }),
    send('POST', 'of what there is not', `${graph}/differential`, { condition_ids: ['asthma', 'xyzzy'] }),
    send('POST', 'with faults', `${graph}/differential`, {
      condition_ids: 'asthma',
      options: { maxFindings: 0 },
      colour: 'red',
    }),
  ),
];
