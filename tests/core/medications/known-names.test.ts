import { describe, expect, test } from '@jest/globals';
import { resolveMedication } from '../../../core/medications/resolve.ts';
import { check, knowledge } from './knowledge.ts';

const resolve = (name: string) => resolveMedication(knowledge, { name }).medication;

describe('a name', () => {
  test('of a drug that exists and no rule covers is said to be known, and is never another drug', () => {
    const uncovered = [...knowledge.names.uncovered.values()];
    expect(uncovered.length).toBeGreaterThan(2800);
    const taken = uncovered.map(resolve).filter(({ status }) => status === 'resolved');
    expect(taken.map(({ input }) => input.name)).toEqual([]);
    expect(resolve('bucindolol')).toMatchObject({ status: 'unresolved', knownDrug: 'bucindolol', substances: [] });
    expect(check(['folic acid', 'bucindolol'])).toMatchObject({
      pairs: [{ severity: 'unknown' }],
      summary: { highest: 'unknown', complete: false },
    });
  });

  test('near a drug that exists is not corrected to another one', () => {
    for (const name of [
      'bufuralole',
      'bucindolole',
      'azacosterole',
      'clofezon',
      'tiocarlide',
      'thyroglobulin',
      'vesnarinon',
    ])
      expect({ name, status: resolve(name).status }).toEqual({ name, status: 'unresolved' });
  });

  test.each([
    ['Acetylsalicylsäure', 'acetylsalicylic-acid'],
    ['levotiroxina', 'levothyroxine'],
    ['idroclorotiazide', 'hydrochlorothiazide'],
    ['ciprofloxacino', 'ciprofloxacin'],
    ['Valproinsäure', 'valproic-acid'],
    ['acide folique', 'folic-acid'],
    ['Ramipril-ratiopharm 5 mg', 'ramipril'],
    ['Metoprolol-succ. AL 47,5 mg', 'metoprolol'],
    ['streptozotocin', 'streptozocin'],
  ])('of another language or maker, %s, means %s', (name, id) => {
    expect(resolve(name)).toMatchObject({ status: 'resolved' });
    expect(resolve(name).substances.map((s) => s.id)).toEqual([id]);
  });

  test('of every substance means itself in its own file', () => {
    const wrong = knowledge.substances.filter((s) => resolve(s.name).substances[0]?.id !== s.id);
    expect(wrong.map((s) => s.name)).toEqual([]);
  });
});
