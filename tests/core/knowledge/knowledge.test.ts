import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { KnowledgeError, loadKnowledge } from '../../../core/knowledge/load.ts';

const FOLDER = fileURLToPath(new URL('../../../core/knowledge', import.meta.url));
const knowledge = loadKnowledge();
const AGE_BANDS = 9;

describe('the shipped knowledge base', () => {
  test('covers the field', () => {
    expect(knowledge.conditions.length).toBeGreaterThanOrEqual(800);
    expect(knowledge.findings.length).toBeGreaterThanOrEqual(1400);
  });

  test('every condition has an id like its file, codes, sources, treatments and enough findings', () => {
    for (const condition of knowledge.conditions) {
      expect(JSON.parse(readFileSync(join(FOLDER, 'conditions', `${condition.id}.json`), 'utf8')).id).toBe(
        condition.id,
      );
      expect(condition.findings.length).toBeGreaterThanOrEqual(6);
      expect(condition.sources.length).toBeGreaterThan(0);
      expect(condition.treatments.length).toBeGreaterThan(0);
    }
  });

  test('every finding that is not a duration can be read from text or measured', () => {
    const measured = new Set(knowledge.vitals.rules.map((rule) => rule.finding));
    for (const finding of knowledge.findings) {
      expect([finding.id, finding.synonyms.length > 0 || measured.has(finding.id)]).toEqual([finding.id, true]);
    }
  });

  test('a more specific finding is never commoner than what it implies', () => {
    const rates = new Map(knowledge.findings.map((finding) => [finding.id, finding.base_rate]));
    for (const finding of knowledge.findings) {
      for (const parent of finding.implies) {
        expect([finding.id, finding.base_rate <= rates.get(parent)!]).toEqual([finding.id, true]);
      }
    }
  });

  test('every condition can occur in some patient', () => {
    for (const { id, incidence } of knowledge.conditions) {
      // A band that is not named counts as 1.
      const factors = Object.values(incidence.age);
      expect([id, factors.length < AGE_BANDS || Math.max(...factors) > 0.1]).toEqual([id, true]);
      expect(incidence.sex.female + incidence.sex.male).toBeGreaterThan(0);
    }
  });

  test('every vital sign has a unit and bounds, and every red flag a rule', () => {
    for (const unit of Object.values(knowledge.vitals.units)) expect(unit).toMatch(/^(°C|mmHg|\/min|%)$/);
    for (const flag of knowledge.red_flags) expect(flag.when.length).toBeGreaterThan(0);
  });
});

describe('loading', () => {
  function broken(file: string, change: (value: Record<string, unknown>) => void): () => unknown {
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-'));
    cpSync(FOLDER, folder, { recursive: true });
    const path = join(folder, file);
    const value = JSON.parse(readFileSync(path, 'utf8'));
    change(value);
    writeFileSync(path, JSON.stringify(value));
    return () => loadKnowledge(folder);
  }

  test('a reference to an unknown finding stops the start and is named', () => {
    const load = broken('conditions/asthma.json', (value) => {
      (value['findings'] as object[]).push({ finding: 'nonsense', p: 0.5, certainty: 'low' });
    });
    expect(load).toThrow(/condition asthma refers to the unknown finding "nonsense"/);
  });

  test('a field that does not fit its schema stops the start and names the file', () => {
    const load = broken('conditions/asthma.json', (value) => {
      value['urgency'] = 'whenever';
    });
    expect(load).toThrow(KnowledgeError);
    expect(load).toThrow(/asthma\.json\/urgency/);
  });
});
