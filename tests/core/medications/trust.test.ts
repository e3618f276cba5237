import { describe, expect, test } from '@jest/globals';
import { checkInteractions } from '../../../core/medications/interactions.ts';
import { isInterruptive } from '../../../core/medications/judge.ts';
import type { CompiledRule, PairRule } from '../../../core/medications/types.ts';
import { knowledge, pairOf } from './knowledge.ts';

/** Every pair of different substances a list entry means, as ids. */
function expansion({ a, b }: CompiledRule<PairRule>): [string, string][] {
  const pairs: [string, string][] = [];
  for (const x of a) {
    for (const y of b) {
      const first = knowledge.substances[x]?.id;
      const second = knowledge.substances[y]?.id;
      if (first && second && first !== second) pairs.push([first, second]);
    }
  }
  return pairs;
}

const judged = (a: string, b: string): string =>
  checkInteractions(knowledge, { medications: [{ name: a }, { name: b }], includeFoodAndAlcohol: false }).pairs[0]
    ?.severity ?? 'missing';

const highPriority = knowledge.rules.rules.filter((c) => knowledge.highPriority.has(c.rule.id));

describe('trust', () => {
  test('every pair on the high-priority list, over all members of its classes, is contraindicated or major', () => {
    const low = highPriority.flatMap((entry) =>
      expansion(entry)
        .map(([a, b]) => ({ entry: entry.rule.id, a, b, severity: judged(a, b) }))
        .filter((p) => p.severity !== 'contraindicated' && p.severity !== 'major'),
    );
    expect(low).toEqual([]);
    expect(highPriority.flatMap(expansion).length).toBeGreaterThan(2000);
  });

  test('no pair on the non-interruptive list, over all members of its classes, is above moderate', () => {
    const high = knowledge.ceilings.rules.flatMap((entry) =>
      expansion(entry)
        .map(([a, b]) => ({ entry: entry.rule.id, a, b, severity: judged(a, b) }))
        .filter((p) => p.severity === 'contraindicated' || p.severity === 'major'),
    );
    expect(high).toEqual([]);
    expect(knowledge.ceilings.rules.flatMap(expansion).length).toBeGreaterThan(5000);
  });

  test('the two lists share no pair', () => {
    const key = ([a, b]: [string, string]): string => [a, b].sort().join(' ');
    const high = new Set(highPriority.flatMap((entry) => expansion(entry).map(key)));
    const shared = knowledge.ceilings.rules.flatMap((entry) => expansion(entry).map(key)).filter((k) => high.has(k));
    expect(shared).toEqual([]);
  });

  test('severity says how certain it is, and suspicion alone does not interrupt', () => {
    expect(isInterruptive('contraindicated', 'suspected')).toBe(true);
    expect(isInterruptive('major', 'probable')).toBe(true);
    expect(isInterruptive('major', 'suspected')).toBe(false);
    expect(isInterruptive('moderate', 'established')).toBe(false);
    expect(pairOf('digoxin', 'calcium gluconate')).toMatchObject({
      severity: 'major',
      certainty: 'suspected',
      interruptive: false,
    });
  });
});
