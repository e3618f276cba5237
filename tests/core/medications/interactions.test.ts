import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkInteractions, type InteractionCheck } from '../../../core/medications/interactions.ts';
import type { Work } from '../../../core/medications/judge.ts';
import { check, knowledge, pairOf } from './knowledge.ts';

/** The check without what necessarily follows the order of the request. */
function withoutPositions(result: InteractionCheck): unknown {
  return JSON.parse(JSON.stringify({ ...result, medications: null }), (key, value: unknown) =>
    key === 'index' ? null : value,
  );
}

const anySubstances = fc.uniqueArray(fc.constantFrom(...knowledge.substances.map((s) => s.id)), {
  minLength: 2,
  maxLength: 12,
});

describe('every pair is judged', () => {
  test('each pair of the list appears once with severity, certainty, mechanism, effect, management, rules and sources', () => {
    const { pairs } = check(['warfarin', 'ibuprofen', 'simvastatin', 'clarithromycin']);
    expect(pairs).toHaveLength(6);
    expect(pairs[0]).toMatchObject({
      a: { name: 'clarithromycin' },
      b: { name: 'simvastatin' },
      severity: 'contraindicated',
      certainty: 'established',
      interruptive: true,
    });
    for (const pair of pairs.filter((p) => p.severity !== 'none_known')) {
      expect(pair.mechanism && pair.effect && pair.management).toBeTruthy();
      expect(pair.rules.length).toBeGreaterThan(0);
      expect(pair.sources.every((s) => knowledge.sources.has(s))).toBe(true);
    }
  });

  test('no placeholder is left in any text', () => {
    const everything = check(knowledge.substances.filter((s) => s.index % 13 === 0).map((s) => s.id));
    expect(JSON.stringify(everything)).not.toMatch(/\{[ab]\}|\{enzyme\}/i);
  });

  test('the order of the list changes nothing', () => {
    fc.assert(
      fc.property(anySubstances, (ids) => {
        expect(withoutPositions(check([...ids].reverse()))).toEqual(withoutPositions(check(ids)));
      }),
      { numRuns: 40 },
    );
  });

  test('findings come worst first, and the same request gives the same bytes', () => {
    const rank = ['contraindicated', 'major', 'moderate', 'unknown', 'minor', 'none_known'];
    const names = ['fluoxetine', 'phenelzine', 'warfarin', 'aspirin', 'notadrug', 'lisinopril', 'amlodipine'];
    const ranks = check(names).pairs.map((p) => rank.indexOf(p.severity));
    expect(ranks).toEqual([...ranks].sort((x, y) => x - y));
    expect(JSON.stringify(check(names))).toBe(JSON.stringify(check(names)));
  });

  test('parts of a combination are judged against the rest, and the worst part decides', () => {
    expect(pairOf('Bactrim', 'methotrexate')).toMatchObject({ severity: 'major' });
    expect(pairOf('Paxlovid', 'simvastatin')).toMatchObject({
      severity: 'contraindicated',
      a: { substance: 'ritonavir' },
    });
  });

  test('the input is not mutated', () => {
    const request = Object.freeze({
      medications: Object.freeze([Object.freeze({ name: 'warfarin' }), Object.freeze({ name: 'Advil' })]),
    });
    expect(() => checkInteractions(knowledge, request)).not.toThrow();
  });
});

describe('unknown never reads as safe', () => {
  test('a pair with a name that is not resolved is unknown, and the whole is marked incomplete', () => {
    const result = check(['warfarin', 'frobnazole', 'lisinopril']);
    expect(result.pairs.filter((p) => p.severity === 'unknown')).toHaveLength(2);
    expect(result.summary.complete).toBe(false);
    expect(result.unresolved).toEqual([expect.objectContaining({ kind: 'medication', index: 1, text: 'frobnazole' })]);
  });

  test('a list of one name that is not resolved is unknown as a whole', () => {
    expect(check(['frobnazole']).summary).toMatchObject({ highest: 'unknown', complete: false });
  });

  test('none known is said only when both substances have been profiled', () => {
    const open = knowledge.substances.filter((s) => !s.profiled);
    expect(open.length).toBeGreaterThan(0);
    for (const s of open) expect(pairOf(s.id, 'ascorbic acid').severity).toBe('unknown');
    expect(pairOf('loratadine', 'ascorbic acid').severity).toBe('none_known');
  });

  test('what is known of a half-understood combination is still reported', () => {
    expect(pairOf('warfarin / frobnazole', 'ibuprofen').severity).toBe('major');
    expect(pairOf('warfarin / frobnazole', 'loratadine').severity).toBe('unknown');
  });

  test('unknown outranks minor and none known in the summary', () => {
    expect(check(['frobnazole', 'calcium carbonate', 'ferrous sulfate']).summary.highest).toBe('unknown');
  });
});

describe('route', () => {
  test('a cream is not judged like a tablet, and says so', () => {
    const cream = checkInteractions(knowledge, {
      medications: [{ name: 'ketoconazole', route: 'topical' }, { name: 'simvastatin' }],
    });
    expect(cream.pairs[0]).toMatchObject({ severity: 'minor', certainty: 'theoretical' });
    expect(cream.pairs[0]?.management).toContain('Little is absorbed');
  });

  test('eye drops and sprays that reach the circulation keep their severity', () => {
    const drops = checkInteractions(knowledge, {
      medications: [{ name: 'timolol', route: 'ophthalmic' }, { name: 'verapamil' }],
    });
    expect(drops.pairs[0]?.severity).toBe('major');
    const spray = checkInteractions(knowledge, {
      medications: [{ name: 'fluticasone', route: 'nasal' }, { name: 'ritonavir' }],
    });
    expect(spray.pairs[0]?.severity).toBe('major');
  });

  test('binding in the gut needs both in the gut', () => {
    const infusion = checkInteractions(knowledge, {
      medications: [{ name: 'ciprofloxacin', route: 'iv' }, { name: 'ferrous sulfate' }],
    });
    expect(infusion.pairs[0]?.severity).toBe('none_known');
  });
});

describe('three or more, duplicates, food', () => {
  test('the triple whammy is found in three products and in two', () => {
    for (const names of [
      ['lisinopril', 'furosemide', 'ibuprofen'],
      ['Zestoretic', 'Advil'],
    ])
      expect(check(names).groups.map((g) => g.title)).toContain('Triple whammy on the kidney');
    expect(check(['lisinopril', 'furosemide']).groups).toEqual([]);
  });

  test('every group rule can fire', () => {
    for (const { rule, members, of, including } of knowledge.groups) {
      const chosen = new Set<number>();
      for (const m of members)
        for (const s of m)
          if (!chosen.has(s)) {
            chosen.add(s);
            break;
          }
      for (const s of [...(including ?? []), ...of]) if (chosen.size < (rule.count?.min ?? 0)) chosen.add(s);
      const names = [...chosen].map((s) => knowledge.substances[s]?.id ?? '');
      expect({ rule: rule.id, found: check(names).groups.some((g) => g.rules.includes(rule.id)) }).toEqual({
        rule: rule.id,
        found: true,
      });
    }
  });

  test('the same substance in two products is a major duplicate, two of a class are reported', () => {
    expect(check(['Tylenol', 'Percocet']).duplicates[0]).toMatchObject({
      kind: 'substance',
      of: 'paracetamol',
      severity: 'major',
    });
    expect(check(['omeprazole', 'lansoprazole']).duplicates[0]).toMatchObject({
      kind: 'class',
      of: 'Proton pump inhibitors',
    });
    expect(pairOf('atorvastatin', 'rosuvastatin').severity).not.toBe('none_known');
    expect(check(['insulin glargine', 'insulin lispro']).duplicates).toEqual([]);
  });

  test('food and alcohol are told unless not asked for', () => {
    expect(check(['simvastatin']).food.map((f) => f.food)).toContain('grapefruit');
    expect(check(['oxycodone']).food[0]).toMatchObject({ food: 'alcohol', severity: 'major' });
    expect(check(['phenelzine']).food.map((f) => f.food)).toContain('tyramine');
    expect(
      checkInteractions(knowledge, { medications: [{ name: 'simvastatin' }], includeFoodAndAlcohol: false }).food,
    ).toEqual([]);
  });
});

describe('work', () => {
  test('fifty medications cost one pass over the rule words per pair, and misspelt ones no more', () => {
    const names = knowledge.substances
      .filter((s) => s.index % 26 === 0)
      .slice(0, 50)
      .map((s) => s.id);
    const work: Work = { ruleWords: 0, pairs: 0 };
    checkInteractions(knowledge, { medications: names.map((name) => ({ name })) }, work);
    expect(names).toHaveLength(50);
    expect(work.pairs).toBe((50 * 49) / 2);
    expect(work.ruleWords).toBe(work.pairs * Math.ceil(knowledge.rules.rules.length / 32));
    expect(work.ruleWords).toBeLessThan(50_000);
  });

  test('every answer carries versions and the disclaimer', () => {
    expect(check([])).toMatchObject({
      pairs: [],
      summary: { highest: 'none_known', complete: true },
      knowledge_version: knowledge.version,
      model_version: expect.stringMatching(/\d+\.\d+\.\d+$/),
      disclaimer: expect.stringContaining('does not replace'),
    });
  });
});
