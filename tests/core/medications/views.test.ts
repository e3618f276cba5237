import { describe, expect, test } from '@jest/globals';
import { toMatrix, toPlainText } from '../../../core/medications/views.ts';
import { check } from './knowledge.ts';

describe('a check in other forms', () => {
  test('is a symmetric table in the order of the list, empty on the diagonal', () => {
    const { names, severities } = toMatrix(check(['warfarin', 'paracetamol', 'ibuprofen']));
    expect(names).toEqual(['warfarin', 'paracetamol', 'ibuprofen']);
    expect(severities.map((row, i) => row[i])).toEqual([null, null, null]);
    for (const [i, row] of severities.entries())
      for (const [j, cell] of row.entries()) expect(cell).toBe(severities[j]?.[i]);
    expect(severities[0]?.[2]).toBe('major');
  });

  test('is a short text that names the worst first, what to do, and what was not checked', () => {
    const text = toPlainText(check(['warfarin', 'ibuprofen', 'loratadine', 'bucindolol']));
    const [count, worst] = text.split('\n');
    expect(count).toMatch(/finding/);
    expect(worst).toContain('ibuprofen and warfarin');
    expect(text).toContain('Not checked, because not understood or not covered: bucindolol.');
    expect(text).toContain('Do not stop or change a medicine without asking.');
    expect(toPlainText(check(['loratadine', 'ascorbic acid']))).toContain('No interaction');
  });

  test('of a hundred medicines stays short', () => {
    const names = Array.from(
      { length: 100 },
      (_, i) => ['warfarin', 'ibuprofen', 'amiodarone', 'digoxin'][i % 4] ?? '',
    );
    expect(toPlainText(check(names)).length).toBeLessThan(20_000);
  });
});
