import { describe, expect, test } from '@jest/globals';
import { readKeys } from '@perennial/core/imaging/dicomweb/query-keys.ts';

function read(query: string, isFuzzy = false): ReturnType<typeof readKeys>['conditions'] {
  return readKeys(new URLSearchParams(query), 'instance', isFuzzy).conditions;
}

describe('a query of QIDO-RS', () => {
  test.each([
    ['StudyTime=10', '10', '105959.999999'],
    ['StudyTime=1015-', '1015', undefined],
    ['00080030=-101530', undefined, '101530.999999'],
    ['StudyTime=07:30-12:00:01.5', '0730', '120001.599999'],
    ['StudyDate=20231001-20231031', '20231001', '20231031'],
    ['SeriesDate=20231001', '20231001', '20231001'],
  ])('%s is from %s to %s', (query, from, to) => {
    expect(read(query)).toEqual([expect.objectContaining({ kind: 'between', from, to })]);
  });

  test.each([
    ['Modality=MR,CT', { kind: 'any', values: ['MR', 'CT'] }],
    ['Modality=MR%5CCT', { kind: 'any', values: ['MR', 'CT'] }],
    ['Modality=M*', { kind: 'like', patterns: ['M%'] }],
    ['StudyDescription=a,b_c%25*', { kind: 'like', patterns: ['a,b\\_c\\%%'], ignoreCase: false }],
    ['PatientName=doe%5Ej?n*', { kind: 'like', patterns: ['doe^j_n%'], ignoreCase: true }],
    ['InstanceNumber=7', { kind: 'numbers', values: [7] }],
  ])('%s is read with its wildcards and lists', (query, condition) => {
    expect(read(query)).toEqual([expect.objectContaining(condition)]);
  });

  test('that is fuzzy asks for the beginnings of words', () => {
    expect(read('PatientName=Jane%5EDoe', true)).toEqual([
      { column: 'patientName', kind: 'words', words: ['Jane', 'Doe'] },
    ]);
  });

  test('matches everything where nothing is asked of an attribute', () => {
    expect(read('PatientID=&StudyDescription=*&limit=5&offset=1&includefield=all')).toEqual([]);
  });

  test('passes over what is below its level, what is unknown, and says so once', () => {
    const search = new URLSearchParams('Modality=CT&00101010=1&00101010=2&includefield=00080020,PatientAge');
    expect(readKeys(search, 'study', false)).toEqual({
      conditions: [],
      ignored: ['Modality', '00101010'],
      missing: ['PatientAge'],
    });
  });

  test.each(['StudyDate=2023', 'StudyDate=20231001-20231002-20231003', 'StudyDate=-', 'StudyTime=9', 'SeriesNumber=x'])(
    'is refused where it is no value: %s',
    (query) => {
      expect(() => read(query)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
    },
  );
});
