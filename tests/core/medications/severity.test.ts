import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { severityRank } from '../../../core/medications/judge.ts';
import type { CompiledRule, PairRule, Selector } from '../../../core/medications/types.ts';
import { knowledge, pairOf } from './knowledge.ts';

const disagreements = JSON.parse(
  readFileSync(join(import.meta.dirname, 'severity-disagreements.json'), 'utf8'),
) as readonly { narrower: string; wider: string; pair: string; why: string }[];

const namesSubstances = ({ substances, classes, properties }: Selector): boolean =>
  substances !== undefined && classes === undefined && properties === undefined;

type Compiled = CompiledRule<PairRule>;
const shared = (x: Compiled, y: Compiled): boolean =>
  [
    [x.a, x.b],
    [x.b, x.a],
  ].some(([xa, xb]) => [...(xa ?? [])].some((i) => y.a.has(i) && [...(xb ?? [])].some((j) => j !== i && y.b.has(j))));

describe('the severity', () => {
  test('of a rule that names substances and is milder than a wider rule on the same pair is listed with the reason', () => {
    const rules = knowledge.rules.rules.filter(({ rule }) => rule.dose === undefined);
    const narrow = rules.filter(({ rule }) => namesSubstances(rule.a) || namesSubstances(rule.b));
    const wide = rules.filter(({ rule }) => !namesSubstances(rule.a) && !namesSubstances(rule.b));
    const found = narrow.flatMap((x) =>
      wide
        .filter((y) => severityRank(x.rule.severity) > severityRank(y.rule.severity) && shared(x, y))
        .filter((y) => !x.rule.over?.includes(y.rule.id))
        .map((y) => `${x.rule.id} < ${y.rule.id}`),
    );
    expect(found.sort()).toEqual(disagreements.map(({ narrower, wider }) => `${narrower} < ${wider}`).sort());
  });

  test('is that of the narrower rule where it says why the wider one does not hold', () => {
    for (const { rule } of knowledge.rules.rules.filter((each) => each.rule.over))
      expect({ rule: rule.id, reason: (rule.reason ?? '').length > 20 }).toEqual({ rule: rule.id, reason: true });
    expect(pairOf('rivaroxaban', 'clarithromycin')).toMatchObject({ severity: 'moderate' });
    expect(pairOf('methylphenidate', 'clonidine')).toMatchObject({ severity: 'minor' });
  });

  test('is contraindicated wherever a rule says so of a pair, without a condition', () => {
    const claims = knowledge.rules.rules.filter(({ rule }) => /contraindicated/.test(rule.management));
    expect(claims.filter(({ rule }) => rule.severity !== 'contraindicated').map(({ rule }) => rule.id)).toEqual([]);
    for (const [a, b] of [
      ['voriconazole', 'rifampicin'],
      ['didanosine', 'allopurinol'],
      ['methotrexate', 'acitretin'],
      ['praziquantel', 'rifampicin'],
      ['mefloquine', 'halofantrine'],
      ['dabigatran', 'dronedarone'],
      ['phenelzine', 'pseudoephedrine'],
    ] as const)
      expect(pairOf(a, b)).toMatchObject({ severity: 'contraindicated' });
  });
});
