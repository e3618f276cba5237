import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  evaluateInteractions,
  formatEvaluation,
  type InteractionEvaluation,
  readReference,
} from '../../evaluate/medications/evaluate.ts';
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

  test('of pairs from labels whose first drug no rule was written for, nine of ten are seen and none common is stopped', () => {
    const { by_severity, non_interruptive, names } = evaluate('../../../fixtures/interactions-labels-held-out');
    expect(names.share).toBeGreaterThanOrEqual(0.97);
    for (const { severity, at } of by_severity.filter(
      (r) => r.severity === 'contraindicated' || r.severity === 'major',
    ))
      expect({ severity, seen: at.minor.share >= 0.93, alerted: at.major.share >= 0.8 }).toEqual({
        severity,
        seen: true,
        alerted: true,
      });
    expect(non_interruptive.share).toBeLessThanOrEqual(0.03);
    // Held out once: what it missed was mended by class afterwards, so that it is a regression now.
    expect(
      evaluate('../../../fixtures/interactions-labels-development').high_priority.sensitivity,
    ).toBeGreaterThanOrEqual(0.98);
  });

  test('a share is told with its interval after Wilson', () => {
    // 8 of 10: 0.490 to 0.943, as tables give it.
    const pairs = Array.from({ length: 10 }, (_, i) => ({
      a: 'warfarin',
      b: i < 8 ? 'ibuprofen' : 'folic acid',
      severity: 'major',
    }));
    const share = evaluateInteractions(knowledge, pairs).by_severity[0]?.at.major;
    expect([share?.low.toFixed(3), share?.high.toFixed(3)]).toEqual(['0.490', '0.943']);
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
