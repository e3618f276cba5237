import { describe, expect, test } from '@jest/globals';
import { head } from '@perennial/schemas/contract.ts';
import { expectation } from '@perennial/schemas/expectations.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';

/* A fault says what was expected, from the contract, and nothing of what was sent. */

/** Every schema of the contract, at any depth. */
function everySchema(): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) found.push(value as JsonSchema);
    for (const each of Object.values(value)) visit(each);
  };
  for (const schema of head.resources.values()) visit(schema);
  for (const { parameters } of head.operations) for (const { schema } of parameters) visit(schema);
  return found;
}

describe('a fault', () => {
  test('of a pattern or a format is told in words, wherever the contract has one', () => {
    const silent = everySchema().flatMap((schema) => [
      ...(typeof schema.pattern === 'string' && expectation('pattern', schema) === undefined ? [schema.pattern] : []),
      ...(typeof schema.format === 'string' && schema.format !== 'binary' && expectation('format', schema) === undefined
        ? [schema.format]
        : []),
    ]);
    expect([...new Set(silent)]).toEqual([]);
  });

  test.each([
    ['pattern', { pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$' }, 'Expected: a month, YYYY-MM, such as 2023-10.'],
    ['pattern', { pattern: '^pat_[0-9A-Za-z]{8,64}$' }, 'Expected: an identifier that begins with pat_.'],
    ['pattern', { pattern: '^x$', examples: ['x'] }, 'Expected: something like x.'],
    ['pattern', { pattern: '^x$' }, undefined],
    ['type', { type: ['string', 'null'] }, 'Expected: text or null.'],
    ['enum', { enum: ['female', 'male', null] }, 'Allowed: female, male.'],
    ['enum', { enum: Array.from({ length: 40 }, (_, at) => `word${at}`) }, undefined],
    ['maximum', { maximum: 100 }, 'The largest is 100.'],
    ['maxItems', { maxItems: 1 }, 'The most is 1 entry.'],
    ['required', {}, undefined],
  ] as const)('of %s says %j', (keyword, schema, words) => {
    expect(expectation(keyword, schema as unknown as JsonSchema)).toBe(words);
  });

  test('of a query says what its parameter takes, and never what was sent', () => {
    const validator = createValidator(head.resources);
    const operation = head.operations.find(({ id }) => id === 'analytics.prevalence');
    if (!operation) throw new Error('no such operation');
    const sent = 'https-secret-2022-01-01';
    const { faults } = validator.query(operation, new URLSearchParams({ code: 'E11', from: sent, interval: sent }));
    expect(faults).toEqual([
      expect.objectContaining({ parameter: 'from', message: expect.stringContaining('a month, YYYY-MM') }),
      expect.objectContaining({ parameter: 'interval', message: expect.stringContaining('month, quarter, year') }),
      expect.objectContaining({ parameter: 'until', code: 'required' }),
    ]);
    expect(JSON.stringify(faults)).not.toContain(sent);
  });
});
