import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import { lintContract } from '@perennial/translators/contract/lints.ts';
import { lockStateOf } from '@perennial/translators/contract/released.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const translator = createTranslator(head, history, releases);
const released = history.releases.filter((release) => release.released !== undefined);

describe.each(released.map((release) => [release.id, release] as const))(
  'the locked contract of %s',
  (_id, release) => {
    it('is what the head contract and the changes give (if it only gained something: npm run release -- lock)', () => {
      const { state, differences } = lockStateOf(translator, release, root);
      expect(
        differences.map(({ severity, place, direction, text }) => `${severity}: ${place} (${direction}) ${text}`),
      ).toEqual([]);
      expect(state).toBe('locked');
    });
  },
);

describe('the contract at head', () => {
  it('has ids, descriptions and summaries, no copies, no unions without a discriminator, and examples that are true', () => {
    expect(lintContract(head)).toEqual([]);
  });

  it.each([
    ['a resource without a description', 'description', undefined, 'Patient', 'has no description'],
    ['a resource under another name', '$id', 'Person', 'Patient', 'is registered under another name'],
    ['an example that is not what it says', 'examples', [{}], 'Patient', 'its example is not what it says'],
  ])('refuses %s', (_what, key, value, place, message) => {
    const patient = { ...head.resources.get('Patient'), [key]: value };
    const findings = lintContract({ ...head, resources: new Map(head.resources).set('Patient', patient) });
    expect(findings).toContainEqual({ place, message: expect.stringContaining(message) });
  });

  it.each([
    ['a member without a description', { type: 'string' }, 'has no description'],
    [
      'a copy of a resource',
      { description: 'A copy.', type: 'object', properties: head.resources.get('Treatment')!.properties! },
      'is a copy of Treatment',
    ],
    [
      'a union without a discriminator',
      { description: 'A union.', oneOf: [{ $ref: 'Treatment' }, { $ref: 'Reason' }] },
      'is a union without a discriminator',
    ],
    [
      'a keyword that derivation does not know',
      { description: 'X.', type: 'number', exclusiveMaximum: 3 },
      'uses exclusiveMaximum, which derivation and comparison of contracts do not know',
    ],
    [
      'a value that names a field which its resource does not have',
      { description: 'A name.', type: 'string', 'x-field-of': 'Patient', enum: ['sex', 'contact_info.fax'] },
      'names contact_info.fax, which is no field of Patient',
    ],
    [
      'a text whose pattern is not explained by an example',
      { description: 'X.', type: 'string', pattern: '^~x~$' },
      'give the schema an example',
    ],
  ])('refuses %s', (_what, member, message) => {
    const patient = head.resources.get('Patient')!;
    const changed = {
      ...patient,
      properties: { ...patient.properties, odd: member },
      required: [...(patient.required ?? []), 'odd'],
    };
    const findings = lintContract({ ...head, resources: new Map(head.resources).set('Patient', changed) });
    expect(findings.map((finding) => finding.message)).toContainEqual(expect.stringContaining(message));
  });

  it('refuses an operation without a summary', () => {
    const [first, ...rest] = head.operations;
    expect(lintContract({ ...head, operations: [{ ...first!, summary: '' }, ...rest] })).toContainEqual({
      place: first!.id,
      message: 'has no summary',
    });
  });
});
