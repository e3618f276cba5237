import { Ajv2020 } from 'ajv/dist/2020.js';
import type { EvaluationCase } from './evaluate.ts';

const text = { type: 'string' };
const number = { type: 'number' };

const schema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['id', 'text', 'diagnosis'],
    properties: {
      id: text,
      age: number,
      sex: text,
      text: { type: 'string', minLength: 1 },
      absentFindings: text,
      history: text,
      familyHistory: text,
      socialHistory: text,
      diagnosis: { type: 'string', minLength: 1 },
      triage: text,
      vitals: {
        type: 'object',
        properties: {
          temperature: number,
          heartRate: number,
          bloodPressure: { type: 'object', properties: { systolic: number, diastolic: number } },
        },
      },
    },
  },
};

/** Raised where a file of cases cannot be used; the message says where it is wrong. */
export class CasesInvalid extends Error {
  override readonly name = 'CasesInvalid';
}

/**
 * Reads a file of cases.
 * @throws CasesInvalid where it is no JSON or a case lacks what it needs.
 */
export function readCases(json: string): EvaluationCase[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new CasesInvalid('the file is not JSON');
  }
  const validate = new Ajv2020({ allErrors: true }).compile<EvaluationCase[]>(schema);
  if (validate(value)) return value;
  const faults = (validate.errors ?? []).slice(0, 10);
  throw new CasesInvalid(faults.map((fault) => `${fault.instancePath}: ${fault.message ?? 'does not fit'}`).join('\n'));
}
