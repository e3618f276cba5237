import type { GoldenRequest } from '../exchange.ts';
import { get, type OperationRequests, send } from './words.ts';

/*
 * Jobs come of bulk requests with many operations; most of these are empty, refused at once and short to write down.
 * Work is waited for; what is seen of a job before its end is seen where nobody works.
 */
const lines = { headers: { 'content-type': 'application/x-ndjson' }, gives: { job: 'job/id' } };
const many = [
  { action: 'create', data: { name: 'In a job', dob: '1971-05-06', contact_info: { preferred_method: 'sms' } } },
  { action: 'delete', id: 'pat_00000000000000000000' },
  ...Array.from({ length: 99 }, () => ({})),
];
const body = many.map((each) => `${JSON.stringify(each)}\n`).join('');
const given: GoldenRequest = send('POST', 'given: a job', '/patients/bulk', body, lines);
const ended = get('given: its end', '/jobs/{job}', { until: 'succeeded' });
const none = '/jobs/job_00000000000000000000';

export const jobRequests: readonly OperationRequests[] = [
  {
    operation: 'jobs.list',
    requests: () => [
      get('none yet', '/jobs?limit=1&state=cancelled'),
      given,
      ended,
      get('by kind', '/jobs?limit=1&kind=patients.bulk&state=succeeded'),
      get('with the total', '/jobs?include_total=true&sort=created_at&kind=imaging.analyze'),
      get('wrong values', '/jobs?limit=0&sort=kind&state=asleep'),
      get('a parameter of older versions', '/jobs?offset=1'),
    ],
  },
  {
    operation: 'jobs.get',
    requests: () => [given, { ...ended, name: 'once it has ended' }, get('one that there is not', none)],
  },
  {
    operation: 'jobs.result',
    requests: () => [
      given,
      ended,
      get('one result a line', '/jobs/{job}/result'),
      get('of one that there is not', `${none}/result`),
    ],
  },
];

export const cancelRequests: readonly OperationRequests[] = [
  {
    operation: 'jobs.cancel',
    withoutJobs: true,
    requests: () => [
      given,
      get('its result, too soon', '/jobs/{job}/result'),
      send('POST', 'of one that waits', '/jobs/{job}/cancel'),
      send('POST', 'of one that has ended', '/jobs/{job}/cancel'),
      send('POST', 'of one that there is not', `${none}/cancel`),
    ],
  },
];
