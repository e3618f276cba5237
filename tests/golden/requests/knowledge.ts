import type { GoldenRequest } from '../exchange.ts';
import { get, type OperationRequests, type Words } from './words.ts';

/* Answers are the knowledge base itself, so what core answers is recorded. */

const of = (operation: string, requests: (words: Words) => readonly GoldenRequest[]): OperationRequests => ({
  operation,
  frozenCore: true,
  requests,
});

/** Lists are by offset or by cursor, and refuse the words of the others. Cursors differ from run to run. */
const page = (path: string, { byCursor }: Words): readonly GoldenRequest[] => [
  get('the first', `${path}limit=1`),
  byCursor
    ? get('a parameter of older versions', `${path}offset=1`)
    : get('a parameter of newer versions', `${path}include_total=true`),
];

/** List and entry of one kind. @param filters of entries that hardly change. */
const kind = (name: string, path: string, id: string, filters: string, wrong: string): readonly OperationRequests[] => [
  of(`${name}.list`, (words) => [
    ...page(`/knowledge/${path}?${filters}&`, words),
    get('wrong values', `/knowledge/${path}?limit=0&${wrong}`),
  ]),
  of(`${name}.get`, () => [
    get('the entry', `/knowledge/${path}/${id}`),
    get('one that there is not', `/knowledge/${path}/xyzzy`),
  ]),
];

export const knowledgeRequests: readonly OperationRequests[] = [
  of('knowledge.get', () => [
    get('as a whole', '/knowledge'),
    get('with a parameter that there is not', '/knowledge?kind=x'),
  ]),
  of('knowledge.search', (words) => [
    ...page('/knowledge/search?query=astma&kind=condition&', words),
    get('wrong values', '/knowledge/search?query=&kind=rumour&limit=0'),
    get('without words', '/knowledge/search'),
  ]),
  ...kind('knowledgeConditions', 'conditions', 'undescended_testis', 'icd10=Q53&sort=-name', 'sort=icd10&urgency=x'),
  ...kind('knowledgeFindings', 'findings', 'sneezing', 'name=sneez&sort=name', 'sort=region&category=x'),
  ...kind('knowledgeTreatments', 'treatments', 'antivenom', 'name=antivenom&sort=name', 'sort=kind&kind=x'),
  ...kind('knowledgeMedications', 'medications', 'salbutamol', 'rxnorm=435&sort=name', 'sort=atc&atc=banana'),
  ...kind('knowledgeGuidelines', 'guidelines', 'ocd_guideline', 'title=obsessive&sort=title', 'sort=name&specialty='),
  ...kind('knowledgeRedFlags', 'red-flags', 'snake', 'name=snake&sort=-id', 'sort=when&urgency=routine'),
  of('knowledge.related', (words) => [
    ...page('/knowledge/items/condition:common_cold/related?kind=treatment&', words),
    get('of one that there is not', '/knowledge/items/condition:xyzzy/related'),
    get('wrong values', '/knowledge/items/condition:common_cold/related?kind=rumour&limit=x'),
  ]),
];
