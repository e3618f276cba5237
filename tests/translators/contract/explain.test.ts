import { describe, expect, it } from '@jest/globals';
import { additions } from '@perennial/schemas/additions.ts';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { changelogMarkdown, changelogOf } from '@perennial/translators/contract/changelog.ts';
import { differencesBetween } from '@perennial/translators/contract/explain.ts';
import { levelOf, placesThatDiffer, traceDown } from '@perennial/translators/contract/trace.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';

const shipped = createTranslator(head, history, releases);
const worked = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);
const release = (id: string) => [...historyWithPreview.releases, ...history.releases].find((each) => each.id === id)!;

/** `change: severity place (direction) text` */
const linesOf = (translator: typeof shipped, from: string, to: string): readonly string[] =>
  differencesBetween(translator, release(from), release(to)).map(
    ({ change, severity, place, direction, text }) =>
      `${change?.name ?? 'added'}: ${severity} ${place} (${direction}) ${text}`,
  );

describe('differences between two releases', () => {
  it('name the change that makes each, as the specification lists them (section 9.4)', () => {
    expect(linesOf(shipped, '2022-05-01', '2023-10-15')).toEqual(
      expect.arrayContaining([
        '2022-11-15/move-api-key-to-header: breaking authentication (operation) the API key is no longer taken in the query parameter api_key',
        '2022-11-15/detail-errors: compatible ErrorBody.details (response) field added',
        expect.stringMatching(/^2022-11-15\/report-confidence: breaking Analysis\.analysis_result \(response\) type/),
        '2023-04-30/rename-gender-to-sex: breaking Patient.gender (response) renamed to sex',
        '2023-04-30/rename-gender-to-sex: breaking Patient.gender (request) renamed to sex',
        '2023-04-30/rename-gender-to-sex: breaking patients.list (request) query parameter gender renamed to sex',
        '2023-04-30/add-gender-identity: compatible Patient.gender_identity (response) field added',
        '2023-04-30/restructure-contact: breaking Patient.contact (response) renamed to contact_info',
        '2023-04-30/restructure-contact: compatible Patient.contact_info.preferred_method (response) field added',
        '2023-04-30/page-by-cursor: breaking patients.list (request) query parameter offset removed',
        '2023-04-30/page-by-cursor: breaking Page.offset (response) field removed',
        '2023-10-15/rename-analysis-result: breaking Analysis.analysis_result (response) renamed to diagnostic_result',
        '2023-10-15/restructure-confidence: breaking Suggestion.confidence (response) type changed from number to object ConfidenceScore',
        expect.stringMatching(/^2023-10-15\/change-api-key-format: breaking authentication/),
      ]),
    );
  });

  it('know every way in which a release can change something', () => {
    expect(linesOf(worked, '2023-10-15', '2024-04-01')).toEqual(
      expect.arrayContaining([
        '2024-04-01/rename-dob-to-birth-date: breaking Patient.dob (response) renamed to birth_date',
        '2024-04-01/split-name: breaking Patient.name (response) field removed',
        '2024-04-01/split-name: breaking Patient.given_name (request) required field added',
        '2024-04-01/list-phones: breaking Patient.contact_info.phone (response) field removed',
        '2024-04-01/list-phones: compatible Patient.contact_info.phones (response) field added',
        expect.stringMatching(
          /name-contact-methods: breaking .*preferred_method \(request\) values removed: sms, none/,
        ),
        '2024-04-01/move-analyses: breaking diagnostics.analyze (operation) path changed from /diagnostics/analyze to /diagnostics/analyses',
      ]),
    );
  });

  it('are none between a release and itself', () => {
    for (const { id } of history.releases) expect(linesOf(shipped, id, id)).toEqual([]);
  });

  it('leave no change of the catalogue without a difference', () => {
    const [oldest] = [...history.releases].reverse();
    const named = new Set(
      differencesBetween(shipped, oldest!, history.releases[0]!).flatMap(({ change, severity }) =>
        change && severity !== 'wording' ? [change.name] : [],
      ),
    );
    expect(shipped.catalogue.steps.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('the changelog', () => {
  const entries = changelogOf(shipped.catalogue, history.releases, additions);

  it('has every release, newest first, with the sentence of each of its changes', () => {
    expect(entries.map((entry) => entry.release)).toEqual(
      history.releases
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    for (const entry of entries)
      expect(entry.changes.map(({ sentence }) => sentence)).toEqual(
        releases.find(({ id }) => id === entry.release)?.changes.map(({ sentence }) => sentence) ?? [],
      );
  });

  it('says in Markdown what it says in JSON', () => {
    const markdown = changelogMarkdown(entries);
    for (const { release: id, additions: added, changes } of entries) {
      expect(markdown).toContain(`## v${id} `);
      for (const line of [...added, ...changes.map(({ sentence }) => sentence)])
        expect(markdown).toContain(`- ${line}\n`);
    }
  });

  it('adds only to releases that exist', () => {
    for (const id of Object.keys(additions)) expect(history.releases.map((each) => each.id)).toContain(id);
  });
});

describe('a trace', () => {
  it('gives what the compiled plan gives, and names the changes of the plan', () => {
    const data = {
      id: 'pat_00000000000000000001',
      name: 'Ana',
      dob: '1990-01-01',
      sex: 'female',
      gender_identity: null,
      contact_info: { email: 'a@example.org', phone: null, preferred_method: 'email' },
      created_at: '2023-01-01T00:00:00.000Z',
      updated_at: '2023-01-01T00:00:00.000Z',
    };
    const levels = { older: levelOf(shipped, '2022-11-15'), newer: shipped.catalogue.steps.length };
    const traced = traceDown(shipped, levels, 'Patient', data, undefined);
    const plan = shipped.plan('2022-11-15', 'patients.get')!;
    expect(traced.data).toEqual(JSON.parse(JSON.stringify(plan.response(data, undefined))));
    expect(traced.effects.map(({ change }) => change).reverse()).toEqual(plan.changes);
  });

  it('finds the places where values differ, as deep as both have them', () => {
    expect(
      placesThatDiffer({ a: { b: 1, c: [1, { d: 2 }] }, e: 1 }, { a: { b: 2, c: [1, { d: 3 }] }, f: null }),
    ).toEqual([
      { pointer: '/a/b', before: 1, after: 2 },
      { pointer: '/a/c/1/d', before: 2, after: 3 },
      { pointer: '/e', before: 1 },
      { pointer: '/f', after: null },
    ]);
    expect(placesThatDiffer({ 'a/b': 1 }, { 'a/b': 2 })[0]?.pointer).toBe('/a~1b');
    expect(placesThatDiffer([1], [1, 2])).toEqual([{ pointer: '', before: [1], after: [1, 2] }]);
  });
});
