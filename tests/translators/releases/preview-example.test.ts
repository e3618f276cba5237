import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { baseHead, baseHistory, baseReleases } from '../../fixtures/base.ts';
import { historyWithPreview, releasesWithPreview } from '../../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../../fixtures/release-2024-04-01/head.ts';

const translator = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);
const shipped = createTranslator(baseHead, baseHistory, baseReleases);

const stored: JsonObject = {
  id: 'pat_00000000000000000001',
  given_name: 'Juan Carlos',
  family_name: 'de la Cruz',
  birth_date: '1970-02-03',
  sex: 'male',
  gender_identity: 'man',
  contact_info: { email: 'j@example.org', phones: ['+34 1', '+34 2'], preferred_method: 'messenger' },
  created_at: '2023-01-01T00:00:00.000Z',
  updated_at: '2023-01-01T00:00:00.000Z',
};

describe('a release in preview', () => {
  it('leaves the derived contracts of all four released versions as they are shipped', () => {
    for (const { id } of shipped.catalogue.releases) {
      const properties = (contract: typeof shipped): unknown =>
        contract.contract(id).resources.get('Patient')?.properties;
      expect(Object.keys(properties(translator) as object).sort()).toEqual(
        Object.keys(properties(shipped) as object).sort(),
      );
      expect(translator.contract(id).operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
        shipped.contract(id).operations.map(({ method, path }) => `${method} ${path}`),
      );
    }
  });

  it('answers the current version in its own shape', () => {
    expect(translator.plan('2023-10-15', 'patients.get')?.response(stored, undefined)).toEqual({
      id: 'pat_00000000000000000001',
      name: 'Juan Carlos de la Cruz',
      dob: '1970-02-03',
      sex: 'male',
      gender_identity: 'man',
      contact_info: { email: 'j@example.org', phone: '+34 1', preferred_method: 'sms' },
      created_at: '2023-01-01T00:00:00.000Z',
      updated_at: '2023-01-01T00:00:00.000Z',
    });
  });

  it('keeps what a write of the current version does not change, though that version cannot say it', () => {
    const plan = translator.plan('2023-10-15', 'patients.replace');
    const body = plan?.response(stored, undefined) as JsonObject;
    expect(plan?.update(body, 'replace', undefined)).toBe('needs-prior');
    expect(plan?.update(body, 'replace', stored)).toMatchObject({
      given_name: 'Juan Carlos',
      family_name: 'de la Cruz',
      contact_info: { phones: ['+34 1', '+34 2'], preferred_method: 'messenger' },
    });
  });

  it('replaces the first of a list and keeps the others', () => {
    const plan = translator.plan('2022-11-15', 'patients.update');
    expect(plan?.update({ contact: { phone: '+34 9' } }, 'patch', stored)).toEqual({
      contact_info: { phones: ['+34 9', '+34 2'] },
    });
    expect(plan?.update({ contact: { phone: null } }, 'patch', stored)).toEqual({ contact_info: { phones: [] } });
  });

  it('needs no stored value for members that no such change touches', () => {
    const plan = translator.plan('2022-11-15', 'patients.update');
    expect(plan?.update({ gender: 'female' }, 'patch', undefined)).toEqual({ sex: 'female' });
  });

  it('follows the new name in sort keys, filters and pointers', () => {
    const plan = translator.plan('2022-11-15', 'patients.list');
    expect(plan?.query({ sort: '-dob', dob: '1970-02-03', gender: 'male' }).query).toMatchObject({
      sort: '-birth_date',
      birth_date: '1970-02-03',
      sex: 'male',
    });
    const create = translator.plan('2022-11-15', 'patients.create');
    const pointerOf = (pointer: string): unknown => {
      const older = create?.error({
        code: 'validation_failed',
        message: '',
        documentation_url: '',
        details: [{ code: 'wrong_type', message: '', pointer }],
      });
      return (older?.error['details'] as { pointer: string }[] | undefined)?.[0]?.pointer;
    };
    expect(pointerOf('/birth_date')).toBe('/dob');
    expect(pointerOf('/family_name')).toBe('/name');
    expect(pointerOf('/contact_info/phones/0')).toBe('/contact/phone');
    // What is not there itself is told by its nearest ancestor that is.
    expect(pointerOf('/contact_info/preferred_method')).toBe('/contact');
    expect(pointerOf('/gender_identity')).toBeUndefined();
  });

  it('gives the older path to older versions', () => {
    expect(translator.plan('2023-10-15', 'diagnostics.analyze')?.operation.path).toBe('/diagnostics/analyze');
    expect(translator.plan('2024-04-01', 'diagnostics.analyze')?.operation.path).toBe('/diagnostics/analyses');
  });
});
