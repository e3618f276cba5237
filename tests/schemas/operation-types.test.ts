import { describe, expect, test } from '@jest/globals';
import { headOperations, headResources, publish } from '@perennial/schemas/contract.ts';
import type {
  BodyAt,
  BodyOf,
  DeclaredError,
  HeadResources,
  OperationOf,
  ParamsOf,
  QueryOf,
} from '@perennial/schemas/operation-types.ts';
import { newId, type PatientId, type RecordId } from '@perennial/schemas/platform/ids.ts';
import type { Attachment } from '@perennial/schemas/resources/attachment.ts';
import Type, { type TSchema } from 'typebox';

/*
 * Half of these guarantees are kept by the type checker, which `npm test` runs as well: a line below `@ts-expect-error`
 * that compiles is an error of its own.
 */

describe('what a handler is given follows from the operation as it is declared', () => {
  test('a misspelt member of a body does not compile', () => {
    const body: BodyAt<'Patient.create'> = { name: 'Amara Okafor', dob: '1984-03-07', id: 'pat_sent_back' };
    // @ts-expect-error the member is called `dob`.
    expect(body.date_of_birth).toBeUndefined();
    // @ts-expect-error a name cannot be left out.
    const nameless: BodyAt<'Patient.create'> = { dob: '1984-03-07' };
    const cleared: BodyAt<'Patient.patch'> = { contact_info: null, sex: null };
    // @ts-expect-error and cannot be cleared.
    const unnamed: BodyAt<'Patient.patch'> = { name: null };
    expect([nameless, cleared, unnamed]).toHaveLength(3);
  });

  test('a parameter has the type of its schema, and one that does not exist does not compile', () => {
    type Search = OperationOf<'knowledge.search'>;
    const query: QueryOf<Search> = { query: 'asthma', limit: 5, kind: 'condition' };
    // @ts-expect-error the word is required.
    const empty: QueryOf<Search> = {};
    // @ts-expect-error no such kind.
    const unknown: QueryOf<Search> = { query: 'asthma', kind: 'planet' };
    // @ts-expect-error the path has no such parameter.
    const params: ParamsOf<OperationOf<'patients.get'>> = { patient: 'pat_1' };
    expect([query, empty, unknown, params]).toHaveLength(4);
  });

  test('an identifier does not compile where one of another kind is meant', () => {
    const { patient_id }: ParamsOf<OperationOf<'patients.get'>> = { patient_id: newId('pat') };
    const patient: PatientId = patient_id;
    // @ts-expect-error a path that names a patient names no record.
    const record: RecordId = patient_id;
    // @ts-expect-error an account is no patient.
    const other: PatientId = newId('acc');
    // @ts-expect-error the record that an answer names is no patient either.
    const answered: PatientId = ({} as Attachment).record_id;
    expect([patient, record, other, answered]).toHaveLength(4);
  });

  test('a code that the operation does not declare does not compile', () => {
    const declared: DeclaredError<OperationOf<'patients.get'>> = 'not_found';
    // @ts-expect-error reading a patient has no body that could be too large.
    const undeclared: DeclaredError<OperationOf<'patients.get'>> = 'body_too_large';
    expect([declared, undeclared]).toHaveLength(2);
  });

  test('files are read by the handler and are no body', () => {
    const body: BodyOf<OperationOf<'attachments.create'>, HeadResources> = undefined;
    expect(body).toBeUndefined();
  });
});

describe('the contract as it is typed', () => {
  test.each(Object.entries(headResources))('%s: what is published as read-only is typed so', (_, resource) => {
    const wrong = Object.entries((resource as { properties?: Record<string, TSchema> }).properties ?? {})
      .filter(([, member]) => ((member as { readOnly?: boolean }).readOnly === true) !== Type.IsReadonly(member))
      .map(([name]) => name);
    expect(wrong).toEqual([]);
  });

  test('a resource under another name than its own stops the start', () => {
    expect(() => publish({ Patience: headResources.Patient })).toThrow('the resource Patient is listed as Patience');
  });

  test('every operation has a literal id of its own', () => {
    const ids = headOperations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
