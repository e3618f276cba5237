import { expect, test } from '@jest/globals';
import { recordFaults } from '@perennial/core/records/checks.ts';
import { type RecordRow, type RecordWrite, toRecord } from '@perennial/core/records/record.ts';
import { demoData } from '@perennial/prisma/demo/patients.ts';
import { head } from '@perennial/schemas/contract.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';

test('every record of the demo account is one that a caller could have written', () => {
  const validator = createValidator(head.resources);
  const { records } = demoData('acc_demo');
  expect(records.length).toBeGreaterThan(1_000);
  const faults = new Set<string>();
  for (const stored of records) {
    const code = isObject(stored.code) && 'system' in stored.code ? stored.code : null;
    const record = toRecord({ ...stored, code, revision: 1 } as unknown as RecordRow);
    const found = [
      ...validator.body('MedicalRecord', record),
      ...validator.body('MedicalRecord.create', record),
      ...recordFaults(record as unknown as RecordWrite, new Date()),
    ];
    for (const fault of found) faults.add(`${record.type} ${fault.code} ${fault.pointer}`);
  }
  expect([...faults]).toEqual([]);
});
