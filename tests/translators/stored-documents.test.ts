import { describe, expect, it } from '@jest/globals';
import { createTranslator } from '@perennial/translators/engine/translator.ts';
import { historyWithPreview, releasesWithPreview } from '../fixtures/release-2024-04-01/changes.ts';
import { headOf20240401 } from '../fixtures/release-2024-04-01/head.ts';

const translator = createTranslator(headOf20240401, historyWithPreview, releasesWithPreview);
const written = {
  id: 'pat_00000000000000000001',
  name: 'Ada Lovelace',
  dob: '1815-12-10',
  sex: 'female',
  gender_identity: null,
  contact_info: { email: null, phone: '1', preferred_method: 'sms' },
  created_at: '2023-01-01T00:00:00.000Z',
  updated_at: '2023-01-01T00:00:00.000Z',
};

describe('a document that was stored before a release', () => {
  it('is translated from the release it was written at, though head has moved on since', () => {
    expect(translator.document('Patient', '2023-10-15', '2022-11-15', written)).toEqual({
      id: 'pat_00000000000000000001',
      name: 'Ada Lovelace',
      dob: '1815-12-10',
      gender: 'female',
      contact: { email: null, phone: '1' },
      created_at: '2023-01-01T00:00:00.000Z',
      updated_at: '2023-01-01T00:00:00.000Z',
    });
  });

  it('is itself in the version it was written at', () => {
    expect(translator.document('Patient', '2023-10-15', '2023-10-15', written)).toBe(written);
  });

  it('cannot be read in a version that came later', () => {
    expect(() => translator.document('Patient', '2022-11-15', '2023-10-15', written)).toThrow('cannot be made');
  });
});
