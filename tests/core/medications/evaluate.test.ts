import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  evaluateInteractions,
  formatEvaluation,
  type InteractionEvaluation,
  readReference,
} from '../../../core/medications/evaluate.ts';
import { knowledge } from './knowledge.ts';

/** Lists for development, written from what authorities say; the lists that judge are kept apart. */
const evaluate = (file: string): InteractionEvaluation =>
  evaluateInteractions(
    knowledge,
    readReference(readFileSync(join(import.meta.dirname, 'reference', `${file}.json`), 'utf8')),
  );

describe('evaluation', () => {
  test.each(['high-priority', 'high-priority-specialist'])(
    'at least 95 % of %s pairs are judged major or above, and every name resolves',
    (file) => {
      const { high_priority, unresolved_names } = evaluate(file);
      expect(high_priority.pairs).toBeGreaterThan(500);
      expect(high_priority.sensitivity).toBeGreaterThanOrEqual(0.95);
      expect(unresolved_names).toEqual([]);
    },
  );

  test('sensitivity is told by severity, and nine of ten moderate pairs are seen', () => {
    const { by_severity, unresolved_names } = evaluate('moderate');
    expect(by_severity.map((r) => r.severity)).toEqual(['moderate']);
    expect(by_severity[0]?.sensitivity).toBeGreaterThanOrEqual(0.9);
    expect(unresolved_names).toEqual([]);
  });

  test('at most 5 % of non-interruptive pairs are judged major or above', () => {
    const { non_interruptive, unresolved_names } = evaluate('non-interruptive');
    expect(non_interruptive.pairs).toBeGreaterThan(200);
    expect(non_interruptive.share).toBeLessThanOrEqual(0.05);
    expect(unresolved_names).toEqual([]);
  });

  test('a pair with an unresolved name counts as missed, and the name is listed', () => {
    const result = evaluateInteractions(knowledge, [
      { a: 'warfarin', b: 'frobnazole', severity: 'major' },
      { a: 'simvastatin', b: 'clarithromycin', severity: 'contraindicated' },
    ]);
    expect(result.high_priority).toMatchObject({ pairs: 2, detected: 1, sensitivity: 0.5 });
    expect(result.unresolved_names).toEqual([expect.objectContaining({ name: 'frobnazole' })]);
  });

  test('an alert on a non-interruptive pair is counted and named with its rules', () => {
    const result = evaluateInteractions(knowledge, [{ a: 'warfarin', b: 'ibuprofen', severity: 'non-interruptive' }]);
    expect(result.non_interruptive).toMatchObject({ pairs: 1, alerted: 1, share: 1 });
    expect(formatEvaluation(result)).toContain('alerted: warfarin + ibuprofen');
  });

  test('labels of other lists are understood, and unknown ones are told', () => {
    const labelled = ['High Priority', 'severe', 'low-priority', 'none', 'purple'].map((severity) => ({
      a: 'warfarin',
      b: 'aspirin',
      severity,
    }));
    const result = evaluateInteractions(knowledge, labelled);
    expect(result.high_priority.pairs).toBe(2);
    expect(result.non_interruptive.pairs).toBe(2);
    expect(result.unknown_labels).toEqual(['purple']);
    expect(formatEvaluation(result)).toContain('labels not understood: purple');
  });

  test('a reference list of another shape is refused by entry', () => {
    expect(() => readReference('{}')).toThrow('JSON array');
    expect(() => readReference('[{"a":"warfarin","b":"aspirin"}]')).toThrow('entry 0');
  });
});
