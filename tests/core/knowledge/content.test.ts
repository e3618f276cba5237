import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Catalogue } from '../../../core/knowledge/catalogue.ts';
import { Graph } from '../../../core/knowledge/graph/graph.ts';
import { allTypes } from '../../../core/knowledge/graph/types.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';
import { findDanglingReferences } from '../../../core/knowledge/references.ts';
import { fold } from '../../../core/knowledge/search/fold.ts';
import { Search } from '../../../core/knowledge/search/search.ts';
import { loadMedications } from '../../../core/medications/load.ts';

const FOLDER = fileURLToPath(new URL('../../../core/knowledge', import.meta.url));
const knowledge = loadKnowledge();
const medications = loadMedications();
const catalogue = new Catalogue(knowledge, medications);

describe('conditions', () => {
  test('each can be reached from what a patient says: several of its findings have wordings', () => {
    const worded = new Set(knowledge.findings.filter(({ synonyms }) => synonyms.length > 0).map(({ id }) => id));
    const mute = knowledge.conditions.filter(
      ({ findings }) => findings.filter(({ finding }) => worded.has(finding)).length < 3,
    );
    expect(mute.map(({ id }) => id)).toEqual([]);
  });

  test('no two have one name, and each is the first that a search for its name finds', () => {
    const names = knowledge.conditions.map(({ name }) => fold(name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const search = new Search(catalogue);
    // Some of them, spread over the alphabet: all would take longer than every other test here together.
    const some = knowledge.conditions.filter((_, index) => index % 12 === 0);
    const lost = some.filter(({ id, name }) => search.find(name, 'condition')[0]?.item.id !== id);
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  test('each can be reached from every other in the graph', () => {
    const graph = new Graph(catalogue);
    const start = catalogue.item('condition', 'asthma')!.index;
    const reached = new Set([start]);
    for (const node of reached) graph.eachNeighbour(node, allTypes, (other) => reached.add(other));
    const lost = knowledge.conditions.filter(({ id }) => !reached.has(catalogue.item('condition', id)!.index));
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  test('no likelihood is certain to be or not to be, and each says how sure it is', () => {
    const faulty = knowledge.conditions.flatMap(({ id, findings, risk_factors }) =>
      [...findings, ...risk_factors]
        .filter(({ p, certainty }) => !(p > 0 && p < 1 && ['high', 'moderate', 'low'].includes(certainty)))
        .map(({ finding }) => `${id} ${finding}`),
    );
    expect(faulty).toEqual([]);
  });
});

describe('red flags and measurements', () => {
  test('every red flag has a rule that can be met: its findings can be read, and none of them both raises and lowers it', () => {
    const measured = new Set(knowledge.vitals.rules.map(({ finding }) => finding));
    for (const { id, when, unless } of knowledge.red_flags) {
      expect([id, when.length > 0]).toEqual([id, true]);
      for (const group of when) {
        const readable = group.filter(
          (each) => measured.has(each) || (catalogue.findings.get(each)?.synonyms.length ?? 0) > 0,
        );
        expect([id, readable.length > 0]).toEqual([id, true]);
        expect([id, group.filter((each) => unless.includes(each))]).toEqual([id, []]);
      }
    }
  });

  test('every measured value has a unit with a dimension, a plausible range, and rules inside of it', () => {
    const dimensions: Readonly<Record<string, string>> = {
      '°C': 'temperature',
      mmHg: 'pressure',
      '/min': 'frequency',
      '%': 'fraction',
    };
    for (const [sign, unit] of Object.entries(knowledge.vitals.units))
      expect([sign, unit in dimensions]).toEqual([sign, true]);
    for (const { finding, sign, min, max, age_min_years, age_max_years } of knowledge.vitals.rules) {
      expect([finding, min !== null || max !== null, age_min_years < age_max_years]).toEqual([finding, true, true]);
      const low = Math.min(...knowledge.vitals.plausible[sign].map((band) => band.min));
      const high = Math.max(...knowledge.vitals.plausible[sign].map((band) => band.max));
      for (const bound of [min, max])
        if (bound !== null) expect([finding, bound > low && bound < high]).toEqual([finding, true]);
    }
  });
});

describe('guidelines', () => {
  test('there are as many as a service of this kind needs, over all of the field', () => {
    expect(knowledge.guidelines.length).toBeGreaterThanOrEqual(60);
    expect(new Set(knowledge.guidelines.map(({ specialty }) => specialty)).size).toBeGreaterThanOrEqual(18);
  });

  test('each has several recommendations, every one with a source that has a publisher', () => {
    for (const { id, recommendations, sources, conditions } of knowledge.guidelines) {
      expect([id, recommendations.length >= 3, conditions.length > 0]).toEqual([id, true, true]);
      for (const source of sources)
        expect([id, source, Boolean(catalogue.source(source).organisation)]).toEqual([id, source, true]);
      // The first source is that of all which name none; every other is named by some.
      const named = new Set(recommendations.map(({ source }) => source ?? sources[0]));
      expect([id, sources.filter((source) => !named.has(source))]).toEqual([id, []]);
    }
  });

  test('none says the same twice', () => {
    const texts = knowledge.guidelines.flatMap(({ recommendations }) => recommendations.map(({ text }) => text));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  test('a recommendation from a source that is not among the guideline’s own is found', () => {
    const broken = structuredClone(knowledge);
    broken.guidelines[0]!.recommendations[0]!.source = 'icd10';
    expect(findDanglingReferences(broken)).toEqual([
      expect.stringMatching(/^guideline \w+ refers to the unknown source among its own "icd10"$/),
    ]);
  });
});

describe('treatments and medications', () => {
  test('every treatment is of use to a condition or a guideline', () => {
    const used = new Set([...knowledge.conditions, ...knowledge.guidelines].flatMap(({ treatments }) => treatments));
    expect(knowledge.treatments.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
  });

  test('a medication or class that the medication knowledge does not have stops the start and is named', () => {
    const broken = structuredClone(knowledge);
    broken.treatments[0]!.uses = { classes: ['no-class'], substances: ['no-substance'] };
    broken.guidelines[0]!.medications = ['no-medicine'];
    for (const name of ['no-class', 'no-substance', 'no-medicine'])
      expect(() => new Catalogue(broken, medications)).toThrow(new RegExp(`"${name}"`));
  });

  test('the editors, who stand behind what needs no publication, are among the sources', () => {
    expect(knowledge.sources.map(({ id }) => id)).toContain('editors');
  });
});

test('every file of the folders is read: none has another ending or lies deeper', () => {
  for (const folder of ['conditions', 'findings', 'guidelines', 'red-flags', 'treatments'])
    for (const entry of readdirSync(join(FOLDER, folder), { withFileTypes: true }))
      expect([folder, entry.name, entry.isFile() && entry.name.endsWith('.json')]).toEqual([folder, entry.name, true]);
});

test('the README names every field of a condition, a finding and a guideline', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const [condition] = knowledge.conditions;
  const [finding] = knowledge.findings;
  const [guideline] = knowledge.guidelines;
  for (const field of [condition!, finding!, guideline!].flatMap((each) => Object.keys(each)))
    expect([field, readme.includes(`\`${field}\``)]).toEqual([field, true]);
});
