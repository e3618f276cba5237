import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Contract, head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { guideMarkdown, guides } from '@perennial/translators/contract/guide.ts';
import { impactOf } from '@perennial/translators/contract/impact.ts';
import { type RecordedUse, readUse } from '@perennial/translators/contract/use.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';

const ROOT = join(import.meta.dirname, '../../..');
const [draft] = newestFirst(history);
if (!draft) throw new Error('there is a release');

function use(account: string, release: string, operation: string, count = 1): RecordedUse {
  return { account, name: null, pinned: null, release, operation, client: '(none)', count, last_day: '2023-11-01' };
}

const uses = [
  use('acc_b', '2022-11-15', 'patients.get', 3),
  use('acc_b', '2022-11-15', 'patients.list', 2),
  use('acc_a', '2022-11-15', 'medications.resolve'),
  use('acc_c', draft.id, 'patients.get'),
];

describe('recorded use', () => {
  test('is read line by line, and a line that is none is named without what it says', () => {
    const text = `> perennial\n${JSON.stringify(uses[0])}\n\n${JSON.stringify(uses[1])}\n`;
    expect(readUse(text)).toEqual(uses.slice(0, 2));
    expect(() => readUse(`${JSON.stringify(uses[0])}\n{"account":"secret"}\n`)).toThrow(
      'line 2 is not a record of use',
    );
  });

  test('says what each account would meet if it moved, and nothing of what it never calls', () => {
    const translator = createTranslator(head, history, releases, { compile: 'asked' });
    const accounts = impactOf(translator, history.releases, draft, ROOT, uses);
    expect(accounts.map(({ account, breaks }) => [account, breaks])).toEqual([
      ['acc_a', []],
      ['acc_b', []],
      ['acc_c', []],
    ]);
    const changesOf = (index: number): readonly string[] =>
      (accounts[index]?.move?.steps ?? []).filter(({ uses: own }) => own.length > 0).map(({ change }) => change);
    expect(changesOf(0)).not.toContain('2023-04-30/rename-gender-to-sex');
    expect(changesOf(1)).toContain('2023-04-30/rename-gender-to-sex');
    // It is there already.
    expect(accounts[2]?.move).toBeUndefined();
  });

  test('finds the accounts that break where they stay, by the calls that they made', () => {
    const patient = head.resources.get('Patient') as JsonSchema;
    const narrowed: Contract = {
      ...head,
      resources: new Map(head.resources).set('Patient', {
        ...patient,
        properties: { ...patient.properties, sex: { type: 'boolean' } },
      }),
    };
    const translator = createTranslator(narrowed, history, releases, { compile: 'asked' });
    const accounts = impactOf(translator, history.releases, draft, ROOT, uses);
    expect(accounts.map(({ account, breaks }) => [account, breaks.length > 0])).toEqual([
      ['acc_a', false],
      ['acc_b', true],
      ['acc_c', true],
    ]);
    const [first] = accounts[1]?.breaks ?? [];
    expect(first?.release).toBe('2022-11-15');
    expect(first?.operations).toContainEqual({ operation: 'patients.get', count: 3 });
  });
});

test('a guide names what is to be replaced, with examples, for the operations that are called', () => {
  const translator = createTranslator(head, history, releases, { compile: 'asked' });
  const to = history.releases.find(({ id }) => id === '2023-10-15');
  if (!to) throw new Error('the release is there');
  const guide = guides(translator, history.releases, to)(uses.slice(0, 2));
  if (!guide) throw new Error('the account has something to move');
  const text = guideMarkdown(guide, 'acc_b');
  expect(text).toContain('# acc_b: v2022-11-15 to v2023-10-15');
  expect(text).toContain('`Patient.gender` is now `Patient.sex`');
  expect(text).toContain('Touches `patients.get` (3), `patients.list` (2).');
  expect(text).not.toContain('patients.replace');
});
