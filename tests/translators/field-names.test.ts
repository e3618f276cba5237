import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';
import { historyWithPreview, releasesWithPreview } from '../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../fixtures/release-2024-04-01/head.ts';

const translator = createTranslator(head, history, releases);

describe('a value that is the name of a field', () => {
  it('is the name of the reader’s version, and a field that the version cannot see is not named', () => {
    const change = { changed_fields: ['sex', 'contact_info.phone', 'gender_identity', 'name'] };
    const older = translator.document('PatientChange', '2023-10-15', '2022-11-15', change) as JsonObject;
    expect(older['changed_fields']).toEqual(['gender', 'contact.phone', 'name']);
    expect(translator.document('PatientChange', '2023-10-15', '2023-04-30', change)).toBe(change);
  });

  it('is promised and accepted under the older name, wherever it stands in a body', () => {
    const criterion = { kind: 'patient', field: 'gender', values: ['female'] };
    const schema = translator.contract('2022-11-15').resources.get('PatientCriterion');
    const names = schema?.properties?.['field']?.enum;
    expect(names).toContain('gender');
    expect(names).toContain('contact.email');
    expect(names).not.toContain('sex');
    // What is stored may speak of it, so it keeps its name.
    expect(names).toContain('gender_identity');
    const body = translator.plan('2022-11-15', 'cohorts.create')?.body({ name: 'Women', criteria: [criterion] });
    expect(body).toMatchObject({ criteria: [{ field: 'sex', values: ['female'] }] });
  });
});

describe('a value of a field that is named beside it', () => {
  const preview = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);
  const criterion = (field: string, value: unknown) => ({ kind: 'patient', field, test: 'is', value });
  const up = (field: string, value: unknown, version = '2023-10-15'): unknown =>
    preview.plan(version, 'cohorts.create')?.body({ name: 'A', criteria: [criterion(field, value)] });
  const cohort = (field: string, value: unknown): JsonObject => ({ name: 'A', criteria: [criterion(field, value)] });

  it('is converted as the field is, both ways and under the older name', () => {
    const method = 'contact_info.preferred_method';
    expect(up(method, 'sms')).toMatchObject(cohort(method, 'text'));
    expect(up('contact.email', 'a@example.org', '2022-11-15')).toMatchObject(
      cohort('contact_info.email', 'a@example.org'),
    );
    const answer = preview.plan('2023-10-15', 'cohorts.get')?.response(cohort(method, 'messenger'), undefined);
    expect(answer).toMatchObject(cohort(method, 'sms'));
  });

  it('is left to core where it is no value of the field, and null stays null', () => {
    const method = 'contact_info.preferred_method';
    expect(up(method, 'pigeon')).toMatchObject(cohort(method, 'pigeon'));
    expect(up(method, null)).toMatchObject(cohort(method, null));
    expect(up('contact_info.phone', '1')).toMatchObject(cohort('contact_info.phones', '1'));
    // A list is not a text: its first letter is no telephone number.
    const answer = preview.plan('2023-10-15', 'cohorts.get')?.response(cohort('contact_info.phones', '123'), undefined);
    expect(answer).toMatchObject(cohort('contact_info.phone', '123'));
    expect(up('sex', 'female')).toMatchObject(cohort('sex', 'female'));
  });
});
