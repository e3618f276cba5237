import type { GoldenRequest } from '../exchange.ts';
import { get, type OperationRequests, send } from './words.ts';

/*
 * Counts depend on the year in which they are asked for, so what core answers is recorded. Cohorts are objects like
 * others; their comparison counts people under identifiers that every run makes anew, so only its refusals are here.
 */
const cohorts = '/analytics/cohorts';
const none = 'coh_00000000000000000000';
const cohort = {
  name: 'Diabetes',
  description: null,
  criteria: [
    {
      kind: 'record',
      type: 'condition',
      code: 'E11',
      system: null,
      match: null,
      from: null,
      until: null,
      present: true,
    },
  ],
};
const given = send('POST', 'given: a cohort', cohorts, cohort);
const past = { headers: { 'if-match': 'W/"0.x"' } };

const counted = (operation: string, requests: readonly GoldenRequest[]): OperationRequests => ({
  operation,
  frozenCore: true,
  requests: () => requests,
});

export const analyticsRequests: readonly OperationRequests[] = [
  counted('analytics.population', [
    get('with two conditions', '/analytics/population?conditions=2'),
    get('wrong values', '/analytics/population?conditions=-1&sex=male'),
    get('of a cohort that there is not', `/analytics/population?cohort_id=${none}`),
  ]),
  counted('analytics.prevalence', [
    get('by month', '/analytics/prevalence?code=E11&from=2023-01&until=2023-03'),
    get('wrong values', '/analytics/prevalence?code=E11&from=2023-13'),
  ]),
  counted('analytics.incidence', [
    get('by year', '/analytics/incidence?code=I10&from=2022-01&until=2023-06&interval=year'),
    get('wrong values', '/analytics/incidence?interval=day'),
  ]),
  counted('analytics.standardisedPrevalence', [
    get('to the world’s standard', '/analytics/standardised-prevalence?code=E11'),
    get('wrong values', '/analytics/standardised-prevalence?standard=moon'),
  ]),
  counted('analytics.survival', [
    get('by month', '/analytics/survival?index_code=E11&event_code=I10&months=2'),
    get('wrong values', '/analytics/survival?index_code=E11&months=0'),
  ]),
  counted('analytics.riskStratification', [
    get('of everybody', '/analytics/risk-stratification'),
    get('of a cohort that there is not', `/analytics/risk-stratification?cohort_id=${none}`),
  ]),
  counted('analytics.observationTrend', [
    get('by month', '/analytics/observation-trend?code=4548-4&from=2023-01&until=2023-02'),
    get('wrong values', '/analytics/observation-trend?from=2023-01'),
  ]),
  {
    operation: 'qualityMeasures.list',
    frozenCore: true,
    requests: ({ byCursor }) => [
      get('the first', '/analytics/quality-measures?limit=1&sort=title'),
      ...(byCursor ? [] : [get('a parameter of newer versions', '/analytics/quality-measures?include_total=true')]),
      get('wrong values', '/analytics/quality-measures?sort=age'),
    ],
  },
  counted('qualityMeasures.evaluate', [
    get('a measure that there is not', '/analytics/quality-measures/banana?month=2023-06'),
    get('wrong values', '/analytics/quality-measures/banana?month=June'),
  ]),
  counted('qualityMeasures.series', [
    get(
      'by quarter',
      '/analytics/quality-measures/hypertension_controlled/series?from=2022-10&until=2023-03&interval=quarter',
    ),
    get('a measure that there is not', '/analytics/quality-measures/banana/series?from=2023-01&until=2023-02'),
    get('wrong values', '/analytics/quality-measures/banana/series?from=June'),
  ]),
  {
    operation: 'cohorts.list',
    requests: ({ byCursor }) => [
      given,
      send('POST', 'given: another', cohorts, { ...cohort, name: 'Diabetes again' }),
      get('by name', `${cohorts}?sort=-name&limit=1`),
      ...(byCursor
        ? [get('the page after a cursor', `${cohorts}?sort=-name&limit=1&cursor={cursor}`)]
        : [get('a page at an offset', `${cohorts}?sort=-name&limit=1&offset=1`)]),
      get('wrong values', `${cohorts}?sort=criteria`),
    ],
  },
  {
    operation: 'cohorts.create',
    requests: () => [
      given,
      send('POST', 'with faults', cohorts, { name: '', criteria: [{ kind: 'rumour' }] }),
      send('POST', 'with a field that there is not', cohorts, { ...cohort, size: 3 }),
    ],
  },
  {
    operation: 'cohorts.get',
    requests: () => [
      given,
      get('the cohort', `${cohorts}/{created}`),
      get('one that there is not', `${cohorts}/${none}`),
    ],
  },
  {
    operation: 'cohorts.replace',
    requests: () => [
      given,
      send('PUT', 'as a whole', `${cohorts}/{created}`, { ...cohort, name: 'Type 2 diabetes' }),
      send('PUT', 'on condition of a state that is past', `${cohorts}/{created}`, cohort, past),
      send('PUT', 'without a field that must be there', `${cohorts}/{created}`, { name: 'x' }),
      send('PUT', 'of one that there is not', `${cohorts}/${none}`, cohort),
    ],
  },
  {
    operation: 'cohorts.update',
    requests: () => [
      given,
      send('PATCH', 'of one field', `${cohorts}/{created}`, { description: 'For the review.' }),
      send('PATCH', 'on condition of a state that is past', `${cohorts}/{created}`, { name: 'x' }, past),
      send('PATCH', 'of one that there is not', `${cohorts}/${none}`, { name: 'x' }),
    ],
  },
  {
    operation: 'cohorts.delete',
    requests: () => [
      given,
      send('DELETE', 'of the cohort', `${cohorts}/{created}`),
      get('it is no longer there', `${cohorts}/{created}`),
    ],
  },
  {
    operation: 'cohorts.compare',
    requests: () => [
      send('POST', 'of cohorts that there are not', `${cohorts}/compare`, {
        cohort_ids: [none, 'coh_00000000000000000001'],
      }),
      send('POST', 'of one alone', `${cohorts}/compare`, { cohort_ids: [none] }),
    ],
  },
  {
    operation: 'cohorts.contrast',
    requests: () => [
      send('POST', 'of cohorts that there are not', `${cohorts}/contrast`, {
        cohort_ids: [none, 'coh_00000000000000000001'],
        outcome: { code: 'I21' },
      }),
      send('POST', 'without an outcome', `${cohorts}/contrast`, { cohort_ids: [none, 'coh_00000000000000000001'] }),
    ],
  },
];
