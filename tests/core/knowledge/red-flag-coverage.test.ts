import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { loadKnowledge } from '../../../core/knowledge/load.ts';

const knowledge = loadKnowledge();

interface Item {
  readonly list: string;
  readonly item: string;
  /** What is found; none where the knowledge has no words for it. */
  readonly findings: readonly string[];
  readonly age: number;
  readonly sex?: string;
}
const { lists, items } = JSON.parse(readFileSync(new URL('./red-flag-coverage.json', import.meta.url), 'utf8')) as {
  readonly lists: Readonly<Record<string, string>>;
  readonly items: readonly Item[];
};

const implied = new Map(knowledge.findings.map(({ id, implies }) => [id, implies]));

/** The findings and all that they imply. */
function withImplied(findings: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (id: string): void => {
    if (all.has(id)) return;
    all.add(id);
    for (const each of implied.get(id) ?? []) add(each);
  };
  findings.forEach(add);
  return all;
}

function raised({ findings, age, sex }: Item): readonly string[] {
  const present = withImplied(findings);
  return knowledge.red_flags
    .filter(
      (flag) =>
        (flag.sex === null || sex === undefined || flag.sex === sex) &&
        age >= (flag.age_min_years ?? 0) &&
        age < (flag.age_max_years ?? Number.POSITIVE_INFINITY) &&
        flag.when.every((group) => group.some((id) => present.has(id))),
    )
    .map(({ id }) => id);
}

describe('red flags', () => {
  test('cover what lists of emergencies and of diagnoses that must not be missed name, but for those told here', () => {
    const missed = items.filter((item) => raised(item).length === 0).map(({ item }) => item);
    expect(missed).toEqual([
      'Decompression illness',
      'Air or amniotic fluid embolism',
      'Shoulder dystocia',
      'Malignant hyperthermia',
      'Paraphimosis',
    ]);
  });

  test('are compared with lists and findings that exist', () => {
    const known = new Set(knowledge.findings.map(({ id }) => id));
    expect(items.filter(({ list }) => !Object.hasOwn(lists, list))).toEqual([]);
    expect(items.flatMap(({ findings }) => findings.filter((id) => !known.has(id)))).toEqual([]);
  });

  test('are never cancelled by a finding', () => {
    expect(knowledge.red_flags.filter(({ unless }) => unless.length > 0).map(({ id }) => id)).toEqual([]);
  });
});
