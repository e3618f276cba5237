import { describe, expect, test } from '@jest/globals';
import { describeDicom } from '@perennial/core/imaging/dicom/describe.ts';
import { readDicomFile } from '@perennial/core/imaging/dicom/file.ts';
import { toDicomJson } from '@perennial/core/imaging/dicom/json.ts';
import { grayDicom } from '../../support/dicom.ts';

/** Names of PS3.5, annexes H to K, in the bytes that they have there. */
const names: readonly (readonly [string, string, string])[] = [
  ['ISO_IR 100', '4275635e4ae9726f6d65', 'Buc^Jérome'],
  ['ISO_IR 192', '57616e675e5869616f446f6e673de78e8b5ee5b08fe69db1', 'Wang^XiaoDong=王^小東'],
  ['GB18030', '57616e675e5869616f446f6e673dcdf55ed0a1b6ab', 'Wang^XiaoDong=王^小东'],
  ['\\ISO 2022 IR 87', '59616d6164615e5461726f753d1b24423b334544', 'Yamada^Tarou=山田'],
  ['\\ISO 2022 IR 149', '486f6e675e47696c646f6e673d1b242943fbf3', 'Hong^Gildong=洪'],
  ['ISO_IR 144', 'bbeece5ab3', 'ЛюЮZГ'],
];

describe('a name', () => {
  test.each(names)('in %s is read', (set, bytes, expected) => {
    const file = readDicomFile(grayDicom(1, 1, [0], { '00080005 CS': set, '00100010 PN': Buffer.from(bytes, 'hex') }));
    expect(describeDicom(file).patientName).toBe(expected);
  });

  test('has its groups apart in the JSON model, and no empty ones', () => {
    const [, bytes] = names[1] as readonly [string, string, string];
    const file = readDicomFile(
      grayDicom(1, 1, [0], { '00080005 CS': 'ISO_IR 192', '00100010 PN': Buffer.from(bytes, 'hex') }),
    );
    expect(toDicomJson({ file }, { pixelDataUri: '', valueUri: '' })['00100010']).toEqual({
      vr: 'PN',
      Value: [{ Alphabetic: 'Wang^XiaoDong', Ideographic: '王^小東' }],
    });
  });
});

test('what cannot be stored is not in what is reported', () => {
  const file = readDicomFile(grayDicom(1, 1, [0], { '00100020 LO': Buffer.from([0x41, 0x00, 0x07, 0x42]) }));
  const id = describeDicom(file).identifyingTags.find(({ keyword }) => keyword === 'PatientID');
  expect(id?.value).toBe('A  B');
  expect(describeDicom(file).patientId).toBe('A  B');
});
