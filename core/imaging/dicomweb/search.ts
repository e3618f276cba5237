import { invalidParameter } from '@perennial/schemas/platform/http/fault.ts';
import type { AccountId } from '@perennial/schemas/platform/ids.ts';
import type { AnyContext, BytesOutcome } from '../../platform/http/handler.ts';
import type { JsonDataSet } from '../dicom/json.ts';
import { subjectsOf } from '../look.ts';
import type { Condition, Match } from '../matching.ts';
import type { ImagingService } from '../service.ts';
import type { StudyRow } from '../store.ts';
import { JSON_MODEL, json, needAccepted } from './answers.ts';
import { matchedInstance, matchedSeries, matchedStudy } from './data-sets.ts';
import { placesBefore } from './locate.ts';
import { type Level, readKeys } from './query-keys.ts';

/** More are not answered at once, whatever was asked for. */
const RESULTS_MAX = 200;
const RESULTS_DEFAULT = 100;
const NAMES_MAX = 20;

/** QIDO-RS of studies (PS3.18, 10.6). */
export function searchStudies(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const before = placesBefore(context, 0);
  return search(
    context,
    'study',
    (account, match) => imaging.match(account, match),
    (study) => matchedStudy(study, before),
    (study) => study,
  );
}

/** QIDO-RS of series: all, or those of the study that the path names. */
export function searchSeries(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const before = placesBefore(context, depthOf(context));
  return search(
    context,
    'series',
    (account, match) => imaging.matchSeries(account, match),
    (each) => matchedSeries(each, before),
    ({ study }) => study,
  );
}

/** QIDO-RS of instances: all, or those of the study or the series that the path names. */
export function searchInstances(imaging: ImagingService, context: AnyContext): Promise<BytesOutcome> {
  const before = placesBefore(context, depthOf(context));
  return search(
    context,
    'instance',
    (account, match) => imaging.matchInstances(account, match),
    (each) => matchedInstance(each, before),
    ({ study }) => study,
  );
}

/** How deep below `studies` the address is. */
function depthOf({ params }: AnyContext): number {
  return 2 * ['study_uid', 'series_uid'].filter((name) => params[name] !== undefined).length;
}

async function search<T>(
  context: AnyContext,
  level: Level,
  find: (accountId: AccountId, match: Match) => Promise<readonly T[]>,
  write: (match: T) => JsonDataSet,
  studyOf: (match: T) => StudyRow,
): Promise<BytesOutcome> {
  needAccepted(context, JSON_MODEL, 'application/json');
  const { caller, query, params } = context;
  const { conditions, ignored, missing } = readKeys(context.search, level, query['fuzzymatching'] === true);
  const asked = typeof query['limit'] === 'number' ? query['limit'] : RESULTS_DEFAULT;
  if (asked < 1) throw invalidParameter('limit', 'too_small');
  const limit = Math.min(asked, RESULTS_MAX);
  const offset = typeof query['offset'] === 'number' ? query['offset'] : 0;
  const of: readonly Condition[] = [
    ...(params['study_uid'] === undefined ? [] : [one('studyUid', params['study_uid'])]),
    ...(params['series_uid'] === undefined ? [] : [one('seriesUid', params['series_uid'])]),
  ];
  // One more than is answered shows whether there are more.
  const found = await find(caller.accountId, { conditions: [...of, ...conditions], limit: limit + 1, offset });
  const matches = found.slice(0, limit);
  const warnings = [
    ...named('These attributes cannot be matched by here and were ignored', ignored),
    ...named('These attributes are not kept for searches and are not answered', missing),
    ...(found.length > limit && asked > limit
      ? ['The number of results exceeded the maximum supported by the server. Additional results can be requested.']
      : []),
  ];
  const headers =
    warnings.length === 0 ? undefined : { warning: warnings.map((each) => `299 perennial "${each}"`).join(', ') };
  if (matches.length === 0) return { status: 204, ...(headers ? { headers } : {}) };
  return json(matches.map(write), 200, subjectsOf(...matches.map(studyOf)), headers);
}

function one(column: 'studyUid' | 'seriesUid', value: string): Condition {
  return { column, kind: 'any', values: [value] };
}

/** What is said of attributes, by names that can be nothing but a keyword or a tag. */
function named(what: string, names: readonly string[]): readonly string[] {
  const words = names.filter((each) => /^[A-Za-z0-9.]{1,200}$/.test(each)).slice(0, NAMES_MAX);
  return names.length === 0 ? [] : [`${what}: ${words.join(' ')}.`];
}
