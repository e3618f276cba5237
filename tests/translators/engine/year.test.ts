import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { exampleFaults } from '@perennial/translators/contract/change-examples.ts';
import { impureConverters } from '@perennial/translators/contract/impure.ts';
import { sharedWords } from '@perennial/translators/contract/shared-words.ts';
import { type Change, change, type ReleaseChanges } from '@perennial/translators/engine/change.ts';
import * as d from '@perennial/translators/engine/describe.ts';
import { NotShown } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { headAfterAYear } from '../../fixtures/year/head.ts';
import { historyOfTheYear, OLDEST, yearOfReleases } from '../../fixtures/year/releases.ts';
import { faultsOf } from './fixture.ts';

const translator = createTranslator(headAfterAYear, historyOfTheYear, yearOfReleases);
const NEWEST = translator.headRelease;
const plan = (operation: string, version = OLDEST): Plan => translator.plan(version, operation) as Plan;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const stored: JsonObject = {
  id: 'vis_000001',
  clinician_id: 'cln_0007',
  given_name: 'Amara',
  family_name: 'Okafor',
  state: 'planned',
  priority: 'high',
  minutes: 30,
  room: { floor: 2, number: '2.14' },
  phones: ['1', '2'],
  tags: ['remote', 'new'],
  language: 'en',
  note: 'Well.',
  reminder_minutes: 30,
  referral: 'Dr Smith',
  findings: [
    { kind: 'image', picture: 'a.png' },
    { kind: 'text', text: 'Well.' },
  ],
};

describe('a year of ten releases', () => {
  it('has three to six changes in each, and every description in one of them', async () => {
    expect(yearOfReleases.map(({ changes }) => changes.length >= 3 && changes.length <= 6)).toEqual(
      Array(10).fill(true),
    );
    const text = await readFile(new URL('../../fixtures/year/releases.ts', import.meta.url), 'utf8');
    const isUsed = (name: string): boolean => text.includes(`d.${name}(`) || text.includes(`d.${name}<`);
    expect(Object.keys(d).filter((name) => name !== 'plain' && !isUsed(name))).toEqual([]);
  });

  it('shows the oldest version what it has, in its words', () => {
    expect(plain(plan('visits.get').response(stored, undefined))).toEqual({
      id: '000001',
      clinician_id: 'C0007',
      name: 'Amara Okafor',
      state: 'planned',
      priority: 'urgent',
      length: 30,
      phone: '1',
      tags: ['new'],
      note: 'Well.',
      referral: 'Dr Smith',
      findings: [{ kind: 'text', text: 'Well.' }],
      reminder: { minutes: 30 },
      fax: null,
      number: '2.14',
      floor: 2,
    });
  });

  it('finds values wherever they travel: paths, filters, lists, events, what says that it is the same', () => {
    expect(plan('clinicians.get').parameters({ clinician_id: 'C0007' })).toEqual({ clinician_id: 'cln_0007' });
    expect(plan('clinicians.get').parameters({ clinician_id: 'nobody' })).toEqual({ clinician_id: 'nobody' });
    expect(plan('visits.get').parameters({ appointment: '000001' })).toEqual({ visit_id: 'vis_000001' });
    expect(plan('visits.list').query({ clinician_id: 'C0007' }).query).toEqual({ clinician_id: 'cln_0007', limit: 5 });
    expect(plan('events.list').query({ type: 'visit.created' }).query).toEqual({ type: 'visit.booked' });
    expect(
      translator.validator(OLDEST).query(plan('events.list').operation, new URLSearchParams('type=visit.moved')).faults,
    ).toHaveLength(1);
    expect(
      translator.validator(OLDEST).query(plan('visits.list').operation, new URLSearchParams('clinician_id=cln_0007'))
        .faults,
    ).toHaveLength(1);
    const items = [
      { number: 1, type: 'visit.booked', visit_id: 'vis_000001', data: null },
      { number: 2, type: 'visit.moved', visit_id: 'vis_000001', data: null },
    ];
    expect(plain(plan('events.list').response({ items, next_cursor: null, has_more: false }, undefined))).toMatchObject(
      {
        items: [{ number: 1, type: 'visit.created', visit_id: '000001' }],
      },
    );
    expect(translator.contract(OLDEST).resources.get('VisitEvent')?.properties?.['type']?.enum).toEqual([
      'visit.created',
      'visit.changed',
    ]);
  });

  it('does not show by itself what the version does not have, and names the change', () => {
    const read = (): unknown => plan('visits.get').response({ ...stored, state: 'arrived' }, undefined);
    expect(read).toThrow(NotShown);
    expect(read).toThrow(expect.objectContaining({ change: '2021-06-10/see-who-arrived' }));
  });

  it('keeps what an older write does not see, and what it writes back', () => {
    const update = (body: JsonObject): unknown => plan('visits.update').update(body, 'patch', stored);
    expect(update({ tags: ['repeat'] })).toEqual({ tags: ['repeat', 'remote'] });
    expect(update({ tags: ['new'] })).toEqual({ tags: ['remote', 'new'] });
    expect(update({ clinician_id: 'C0008' })).toEqual({ clinician_id: 'cln_0008' });
    expect(update({ note: 'n'.repeat(60) })).toEqual({ note: 'n'.repeat(40) });
    expect(update({ note: 'short' })).toEqual({ note: 'short' });
  });

  it('changes one operation and no other, and tells nobody else of it', () => {
    const page = { items: [stored], next_cursor: null, has_more: false };
    const [found] = (plain(plan('visits.search').response(page, undefined)) as { items: JsonObject[] }).items;
    const [listed] = (plain(plan('visits.list').response(page, undefined)) as { items: JsonObject[] }).items;
    expect([found?.['remark'], found?.['note'], listed?.['remark'], listed?.['note']]).toEqual([
      'Well.',
      undefined,
      undefined,
      'Well.',
    ]);
    const names = (version: string): readonly string[] => [...translator.contract(version).resources.keys()];
    expect(names(NEWEST).filter((name) => name.includes('In'))).toEqual([]);
    expect(names(OLDEST)).toEqual(expect.arrayContaining(['VisitInVisitsSearch', 'Doctor']));
    expect(names(OLDEST)).not.toContain('Clinician');
    expect(translator.contract(OLDEST).resources.get('Doctor')).toMatchObject({ $id: 'Doctor', title: 'Doctor' });
  });

  it('follows events of streams by name, and leaves out those that came later', () => {
    const watch = plan('visits.watch');
    expect(['booked', 'changed'].map((name) => watch.eventName(name))).toEqual(['created', 'changed']);
    expect(watch.operation.response.events).toEqual({ created: 'Visit', changed: 'Visit' });
    expect(plain(watch.event('booked', stored))).toMatchObject({ id: '000001' });
    expect(typeof watch.event('moved', stored)).toBe('symbol');
  });

  it('answers errors as successes and successes as errors', () => {
    const error = (code: 'not_found' | 'conflict') => ({ code, message: '', documentation_url: '', details: [] });
    expect(plan('slots.of').error(error('not_found'))?.success).toEqual({ status: 200, data: { visit: null } });
    expect(plan('visits.delete').error(error('not_found'))?.success).toEqual({ status: 204 });
    expect(plan('visits.create').error(error('conflict'))).toMatchObject({ status: 400, error: { code: 'taken' } });
    expect(plan('slots.next').refusal({ visit: null })).toBe('not_found');
    expect(plan('slots.next').refusal({ visit: stored })).toBeUndefined();
    expect(plan('slots.next', NEWEST).refusal({ visit: null })).toBeUndefined();
  });

  it('sends headers and cookies by their newer names, and nothing else', () => {
    const { headers } = plan('reports.get');
    const request = (given: Record<string, string>): unknown => headers?.request(given);
    expect(request({ 'x-ward': 'EAST', cookie: 'theme=dark; show=table' })).toEqual({
      ward: 'east',
      cookie: 'view=table',
    });
    expect(request({ ward: 'EAST', cookie: 'theme=dark' })).toEqual({});
    expect(headers?.answer({ 'report-state': 'whole', server: 'x' })).toEqual([['x-state', 'WHOLE']]);
    expect(plan('messages.send').operation.body?.mediaType).toBe('application/x-www-form-urlencoded');
    expect(plan('visits.fax')).toBeDefined();
    expect(translator.plan(NEWEST, 'visits.fax')).toBeUndefined();
  });
});

/** Releases that are wrong, each with what must be said of it. */
describe('a wrong release', () => {
  const after = (definition: Omit<Change, 'sentence'>): readonly string[] => {
    const last: ReleaseChanges = { id: '2021-10-20', changes: [change({ sentence: 'Said.', ...definition })] };
    const history = {
      ...historyOfTheYear,
      releases: [{ id: last.id, semver: '1.11.0' }, ...historyOfTheYear.releases],
    };
    return faultsOf(() => createTranslator(headAfterAYear, history, [...yearOfReleases, last]));
  };
  const id = 'wrong-one';
  const on = (resource: string, ...edits: NonNullable<Change['resources']>[number]['edits'][number][]) => ({
    id,
    resources: [{ resource, edits }],
  });
  const same = (value: string): string => value;

  it.each<[string, Omit<Change, 'sentence'>, string]>([
    [
      'converts identifiers of a member that is not there',
      { id, values: [d.reformatted('Visit.key', { pattern: '^x$', down: same, up: same })] },
      'there is no member Visit.key',
    ],
    [
      'converts values that nothing tells',
      { id, values: [d.reformatted('Visit.given_name', { pattern: '^x$', down: same, up: same })] },
      'Visit.given_name is no text with a pattern',
    ],
    [
      'converts identifiers to what they are',
      { id, values: [d.reformatted('Visit.id', { pattern: '^vis_[0-9]{6}$', down: same, up: same })] },
      'Visit.id is the same in both versions',
    ],
    [
      'renames a word that is not there',
      { id, values: [d.renamedWords('VisitEvent.type', { a: 'visit.lost' })] },
      'the newer version has no visit.lost',
    ],
    [
      'adds a word that is not there',
      { id, values: [d.addedWords('VisitEvent.type', ['visit.lost'])] },
      'the newer version has no visit.lost',
    ],
    [
      'converts values and edits in one change',
      { ...on('Visit', d.rename('a', 'note')), values: [d.addedWords('VisitEvent.type', ['visit.moved'])] },
      'that needs a change of its own',
    ],
    [
      'adds an alternative that is not there',
      on('Finding', d.alternativeAdded('sound')),
      'the newer union has no sound',
    ],
    [
      'adds an alternative to what is no union',
      on('Visit', d.alternativeAdded('text')),
      'which are narrowed one by one',
    ],
    ['adds every alternative', on('Finding', d.alternativeAdded('text', 'measure', 'image')), 'no alternative left'],
    ['adds words to what is no list', on('Visit', d.wordsAdded('note', ['x'])), '"note" is no list of words'],
    [
      'adds words that the list has not',
      on('Visit', d.wordsAdded('tags', ['x'])),
      '"tags": the newer version has no x',
    ],
    [
      'tightens nothing',
      on('Visit', d.tightened('note', { maxLength: 40 }, same)),
      '"note" has the same rules in both versions',
    ],
    [
      'changes an operation that is not there',
      { id, resources: [{ resource: 'Visit', only: ['visits.none'], edits: [d.rename('a', 'note')] }] },
      'there is no operation visits.none',
    ],
    [
      'changes in an operation what it has not',
      { id, resources: [{ resource: 'Clinician', only: ['reports.get'], edits: [d.rename('a', 'name')] }] },
      'reports.get has no Clinician',
    ],
    [
      'changes pages of one operation',
      { id, resources: [{ resource: 'Page', only: ['visits.list'], edits: [d.rename('a', 'items')] }] },
      'Page is the same in every operation',
    ],
    ['renames a schema that is not there', { id, schemas: { Old: 'New' } }, 'there is no resource New'],
    ['renames a schema to one that there is', { id, schemas: { Visit: 'Slot' } }, 'there is a resource Visit already'],
    [
      'renames an event that is not there',
      { id, operations: [d.renamedEvent('visits.watch', 'a', 'b')] },
      'visits.watch has no event b',
    ],
    [
      'renames an event to one that there is',
      { id, operations: [d.renamedEvent('visits.watch', 'changed', 'booked')] },
      'has an event changed in the newer version as well',
    ],
    [
      'refuses what was written',
      { id, operations: [d.refused('visits.create', 'conflict', () => true)] },
      'visits.create writes',
    ],
    [
      'answers a body with 204',
      { id, operations: [d.succeeded('slots.of', 'not_found', { status: 204, data: () => null })] },
      'answered 204, which has no body',
    ],
    [
      'answers 200 with nothing',
      { id, operations: [d.succeeded('slots.of', 'not_found', { status: 200 })] },
      'nothing says with which body',
    ],
    [
      'renames a header that is not there',
      { id, operations: [d.changedHeader('reports.get', { older: 'a', newer: 'b' })] },
      'reports.get has no header b',
    ],
    [
      'renames a cookie to itself',
      { id, operations: [d.changedCookie('reports.get', { older: 'view', newer: 'view' })] },
      'reports.get has view as it was',
    ],
    [
      'sends a form where nothing is sent',
      { id, operations: [d.changedMediaType('visits.list', 'application/x-www-form-urlencoded')] },
      'there is no operation visits.list that takes a body',
    ],
    [
      'sends JSON as JSON',
      { id, operations: [d.changedMediaType('messages.send', 'application/json')] },
      'takes application/json already',
    ],
  ])('that %s is refused, and says so', (_title, definition, message) => {
    const faults = after(definition);
    expect(faults.join('\n')).toContain(message);
    expect(faults.join('\n')).toContain('wrong-one');
  });

  it('that asks the clock in a conversion of values is found', () => {
    const last: ReleaseChanges = {
      id: '2021-10-20',
      changes: [
        change({
          id,
          sentence: 'Said.',
          values: [
            d.reformatted('Visit.id', {
              pattern: '^[0-9]{6}-x$',
              down: (each) => `${each.slice(4)}-${Date.now()}`,
              up: (each) => `vis_${each.slice(0, 6)}`,
            }),
          ],
        }),
      ],
    };
    const history = {
      ...historyOfTheYear,
      releases: [{ id: last.id, semver: '1.11.0' }, ...historyOfTheYear.releases],
    };
    const { catalogue } = createTranslator(headAfterAYear, history, [...yearOfReleases, last]);
    expect(impureConverters(catalogue)).toEqual([
      expect.objectContaining({ change: '2021-10-20/wrong-one', place: 'Visit.id' }),
    ]);
  });

  it('whose example of a value is not what the change does is found', () => {
    const [first] = yearOfReleases.filter(({ id: each }) => each === '2021-04-10');
    const examples = {
      'prefix-visits': [
        { value: 'Visit.id', older: '000001', newer: 'vis_000001' },
        { value: 'Visit.id', older: '1', newer: 'vis_000001' },
      ],
    };
    const releases = yearOfReleases.map((each) => (each === first ? { ...each, examples } : each));
    const { catalogue } = createTranslator(headAfterAYear, historyOfTheYear, releases);
    const level = catalogue.steps.findIndex(({ change: each }) => each.id === 'prefix-visits');
    expect(exampleFaults(catalogue, level).map((fault) => fault.split(': ')[1])).toEqual([
      'of vis_000001 an older client reads 000001, not 1',
      'of 1 head gets vis_1, not vis_000001',
    ]);
  });

  it('whose older word stands for several newer ones has no filter by it, unless that is meant', () => {
    const last = (options?: { readonly asked: 'as written' }): ReleaseChanges => ({
      id: '2021-10-20',
      changes: [
        change({
          id,
          sentence: 'Said.',
          resources: [
            {
              resource: 'Visit',
              edits: [
                d.mapped(
                  'priority',
                  { down: { low: 'calm', normal: 'calm', high: 'soon' }, up: { calm: 'normal', soon: 'high' } },
                  options,
                ),
              ],
            },
          ],
        }),
      ],
    });
    const history = {
      ...historyOfTheYear,
      releases: [{ id: '2021-10-20', semver: '1.11.0' }, historyOfTheYear.releases[0]!],
    };
    const filters = (options?: { readonly asked: 'as written' }): readonly string[] =>
      createTranslator(headAfterAYear, history, [last(options)])
        .contract(NEWEST)
        .operations.find(({ id: each }) => each === 'visits.list')
        ?.parameters.map(({ name }) => name) ?? [];
    expect(filters()).not.toContain('priority');
    expect(filters({ asked: 'as written' })).toContain('priority');
    expect(sharedWords(translator.catalogue)).toEqual([]);
  });
});
