import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { judgeSubstances } from '../../../core/medications/judge.ts';
import { KNOWLEDGE_DIRECTORY, loadMedications, MedicationKnowledgeError } from '../../../core/medications/load.ts';
import {
  CERTAINTIES,
  type CompiledRule,
  type DoseRange,
  type PairRule,
  type Substance,
} from '../../../core/medications/types.ts';
import { knowledge } from './knowledge.ts';

/** Loads a copy of the data after one file was changed. */
function loadChanged(file: string, change: (text: string) => string): unknown {
  const copy = mkdtempSync(join(tmpdir(), 'medications-'));
  try {
    cpSync(KNOWLEDGE_DIRECTORY, copy, { recursive: true });
    const path = join(copy, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    return loadMedications(copy);
  } catch (error) {
    return error;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const substance = (index: number): Substance => {
  const found = knowledge.substances[index];
  if (!found) throw new Error(`no substance ${index}`);
  return found;
};

/** A dose that a rule asks for; none where it asks for none. */
const doseWithin = (range: DoseRange | undefined): number | null =>
  range === undefined ? null : (range.up_to ?? (range.above ?? 0) + 1);

const fires = ({ rule, a, b }: CompiledRule<PairRule>): boolean => {
  for (const x of a) {
    for (const y of b) {
      if (x === y) continue;
      const findings = judgeSubstances(
        knowledge,
        { substance: substance(x), route: null, dailyMg: doseWithin(rule.dose?.a) },
        { substance: substance(y), route: null, dailyMg: doseWithin(rule.dose?.b) },
      );
      if (findings.some((f) => f.rule === rule.id)) return true;
    }
  }
  return false;
};

describe('the data', () => {
  test('holds at least 600 profiled substances with class, code and routes', () => {
    const profiled = knowledge.substances.filter((s) => s.profiled);
    expect(profiled.length).toBeGreaterThanOrEqual(600);
    expect(knowledge.substances.filter((s) => s.routes.length === 0)).toEqual([]);
    expect(profiled.filter((s) => s.atc.length > 0).length).toBeGreaterThan(600);
  });

  test('grades every property by strength and certainty and cites its source', () => {
    const wrong = knowledge.substances.flatMap((s) =>
      [...s.grades]
        .filter(
          ([property, [strength, certainty, source]]) =>
            !knowledge.properties.get(property)?.strengths.includes(strength) ||
            !(CERTAINTIES as readonly string[]).includes(certainty) ||
            !knowledge.sources.has(source),
        )
        .map(([property]) => `${s.id} ${property}`),
    );
    expect(wrong).toEqual([]);
  });

  test('covers every kind of property the issue lists', () => {
    const carried = new Set(knowledge.substances.flatMap((s) => [...s.grades.keys()]));
    for (const definition of knowledge.properties.keys()) expect(carried).toContain(definition);
  });

  test('gives no name two meanings', () => {
    const doubled = [...knowledge.names.byName].filter(([, entries]) => entries.length > 1).map(([name]) => name);
    expect(doubled).toEqual([]);
  });

  test('has no rule that can never fire', () => {
    expect(knowledge.rules.rules.filter((rule) => !fires(rule)).map((c) => c.rule.id)).toEqual([]);
  });

  test('has no group, food, patient or allergy rule without medications', () => {
    const empty = [
      ...knowledge.groups
        .filter((g) => g.members.some((m) => m.size === 0) || (g.rule.count && g.of.size < g.rule.count.min))
        .map((g) => g.rule.id),
      ...knowledge.foods.filter((f) => f.medication.size === 0).map((f) => f.rule.id),
      ...knowledge.patientRules.filter((p) => p.medication.size === 0).map((p) => p.rule.id),
      ...knowledge.allergies
        .filter((a) => a.members.size === 0 || a.crosses.some((c) => c.size === 0))
        .map((a) => a.group.id),
    ];
    expect(empty).toEqual([]);
  });

  test('cites no source in vain', () => {
    const cited = new Set<string>([
      ...knowledge.substances.flatMap((s) => [...s.grades.values()].map(([, , source]) => source)),
      ...[...knowledge.rules.rules, ...knowledge.ceilings.rules].flatMap((c) => c.rule.sources),
      ...[...knowledge.groups, ...knowledge.foods, ...knowledge.patientRules].flatMap((c) => c.rule.sources),
      ...knowledge.allergies.flatMap((a) => a.group.crosses.flatMap((c) => c.sources)),
    ]);
    expect([...knowledge.sources.keys()].filter((id) => !cited.has(id))).toEqual([]);
  });

  test('judges tens of thousands of pairs above none known', () => {
    let judged = 0;
    const sample = knowledge.substances.filter((s) => s.profiled && s.index % 3 === 0);
    for (const [i, x] of sample.entries()) {
      for (const y of sample.slice(i + 1)) {
        if (judgeSubstances(knowledge, { substance: x, route: null }, { substance: y, route: null }).length > 0)
          judged += 1;
      }
    }
    // A third of the substances makes a ninth of the pairs.
    expect(judged * 9).toBeGreaterThan(50_000);
  });
});

describe('loading refuses', () => {
  test('a malformed file, and says where', () => {
    const error = loadChanged('classes.json', (text) => text.replace('"duplicate":"minor"', '"duplicate":"some"'));
    expect(error).toBeInstanceOf(MedicationKnowledgeError);
    expect((error as MedicationKnowledgeError).message).toContain('classes.json');
  });

  test('every dangling reference, all in one report', () => {
    const error = loadChanged('pairs/cardiovascular.json', (text) =>
      text.replace('"substances":["sacubitril"]', '"substances":["sacubitrill"]').replace('["label"]', '["lable"]'),
    );
    expect((error as MedicationKnowledgeError).mistakes).toEqual(
      expect.arrayContaining([expect.stringContaining('sacubitrill'), expect.stringContaining('lable')]),
    );
  });

  test('a strength its property does not know', () => {
    const error = loadChanged('substances/b-blood.json', (text) =>
      text.replace('["moderate","established"', '["huge","established"'),
    );
    expect((error as MedicationKnowledgeError).message).toContain('no strength huge');
  });

  test('the same id twice', () => {
    const error = loadChanged('substances/b-blood.json', (text) =>
      text.replace('"id":"betrixaban"', '"id":"warfarin"'),
    );
    expect((error as MedicationKnowledgeError).message).toContain('substance warfarin occurs twice');
  });
});
