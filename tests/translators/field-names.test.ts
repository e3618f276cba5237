import { describe, expect, it } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { history } from '@perennial/schemas/history.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { releases } from '@perennial/translators/releases/index.ts';

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
