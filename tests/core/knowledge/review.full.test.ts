import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { EvidenceBase } from '../../../core/knowledge/evidence.ts';
import { loadKnowledge } from '../../../core/knowledge/load.ts';
import { changesFrom } from '../../../core/knowledge/review/changes.ts';
import { neighbourhoods } from '../../../core/knowledge/review/neighbours.ts';
import { reviewQueue, unsigned } from '../../../core/knowledge/review/queue.ts';
import { usersOf } from '../../../core/knowledge/review/users.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const knowledge = loadKnowledge();
const perennial = (...args: string[]): { code: number | null; out: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.scripts/perennial.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  return { code: status, out: stdout + stderr };
};

describe('the review of the knowledge', () => {
  test('lists what is unsigned, what can do most harm first', () => {
    const queue = unsigned(reviewQueue(knowledge));
    const dangers = queue.map(({ danger }) => danger);
    expect(dangers).toEqual([...dangers].sort((a, b) => a - b));
    expect(queue[0]).toMatchObject({ kind: 'red_flag', danger: 0 });
    expect(queue.length).toBe(
      knowledge.red_flags.length +
        knowledge.conditions.length +
        knowledge.treatments.length +
        knowledge.guidelines.length +
        knowledge.findings.length,
    );
  });

  test('counts a sign-off for the version that was read and for no other, and each person once', () => {
    const flag = knowledge.red_flags[0]!;
    const entry = `red_flag:${flag.id}`;
    const { version } = reviewQueue(knowledge).find((each) => each.entry === entry)!;
    const signOff = { entry, version, name: 'A. Reviewer', role: 'physician', on: '2026-01-01' };
    const evidence = (sign_offs: (typeof signOff)[]) => new EvidenceBase({ ...knowledge, sign_offs }).ofRedFlag(flag);
    expect(evidence([]).sign_offs).toBe(0);
    expect(evidence([signOff, signOff]).sign_offs).toBe(1);
    expect(evidence([signOff, { ...signOff, name: 'B. Reviewer' }]).sign_offs).toBe(2);
    expect(evidence([{ ...signOff, version: '000000000000' }]).sign_offs).toBe(0);
  });

  test('shows what uses an entry', () => {
    const users = usersOf(knowledge, 'treatment', 'adrenaline').map(({ entry }) => entry);
    expect(users).toEqual(expect.arrayContaining(['condition:anaphylaxis']));
    expect(usersOf(knowledge, 'finding', 'petechiae').map(({ entry }) => entry)).toContain('red_flag:petechiae_fever');
  });

  test('tells which cases a change of knowledge changes, and in what', () => {
    const folder = mkdtempSync(join(tmpdir(), 'review-'));
    try {
      const before = join(folder, 'knowledge');
      cpSync(join(root, 'core/knowledge'), before, { recursive: true });
      const file = join(before, 'red-flags/red-flags.json');
      const flags = JSON.parse(readFileSync(file, 'utf8')) as { id: string }[];
      writeFileSync(file, JSON.stringify(flags.filter(({ id }) => id !== 'thunderclap')));
      const cases = join(folder, 'cases.json');
      writeFileSync(
        cases,
        JSON.stringify([
          { id: 'head', age: 45, sex: 'female', text: 'Sudden worst headache of my life' },
          { id: 'cold', age: 30, sex: 'male', text: 'Runny nose and sneezing for two days' },
        ]),
      );
      const records = join(folder, 'records.json');
      const patientData = { age: 45, symptoms: ['thunderclap headache'] };
      writeFileSync(records, JSON.stringify({ items: [{ id: 'diag_kept', patientData }] }));
      const { total, differing } = changesFrom({ against: before, cases, records });
      expect(total).toBe(3);
      expect(differing.map(({ id }) => id)).toEqual(['head', 'diag_kept']);
      expect(differing[0]?.what.join()).toContain('red flags');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});

describe('npm run perennial', () => {
  test('says what it can do, and answers with a code that scripts can read', () => {
    expect(perennial('--help')).toMatchObject({ code: 0, out: expect.stringContaining('knowledge') });
    expect(perennial('nothing').code).toBe(2);
    expect(perennial('knowledge', '--help').code).toBe(0);
    expect(perennial('knowledge', 'review', 'sign', 'condition:asthma').code).toBe(1);
    expect(perennial('knowledge', 'review', 'show', 'condition:none').code).toBe(1);
    expect(perennial('knowledge', 'review', 'list', '--bogus').code).toBe(2);
  }, 120_000);

  test('lists, shows, and writes a worksheet that a seed draws again', () => {
    const list = perennial('knowledge', 'review', 'list', '--kind', 'condition', '--limit', '3', '--json');
    expect(list.code).toBe(0);
    expect(JSON.parse(list.out)).toHaveLength(3);
    const shown = perennial('knowledge', 'review', 'show', 'condition:anaphylaxis');
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('adrenaline') });
    const folder = mkdtempSync(join(tmpdir(), 'sheet-'));
    try {
      const sheets = ['a.md', 'b.md'].map((name) => join(folder, name));
      for (const out of sheets)
        expect(perennial('knowledge', 'review', 'worksheet', '--seed', 's', '--limit', '5', '--out', out).code).toBe(0);
      const [a, b] = sheets.map((each) => readFileSync(each, 'utf8'));
      expect(a).toBe(b);
      expect(a?.match(/^## /gm)).toHaveLength(5);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 180_000);
});

describe('the neighbours of a condition', () => {
  test('are ten, nearest first, each with what tells the two apart', () => {
    const all = neighbourhoods(knowledge);
    expect(all).toHaveLength(knowledge.conditions.length);
    const asthma = all.find(({ id }) => id === 'asthma');
    expect(asthma?.neighbours).toHaveLength(10);
    const likenesses = asthma!.neighbours.map(({ likeness }) => likeness);
    expect(likenesses).toEqual(likenesses.toSorted((a, b) => b - a));
    const cords = asthma?.neighbours.find(({ id }) => id === 'vocal_cord_dysfunction');
    expect(cords?.separators.map(({ finding }) => finding)).toContain('stridor');
  });

  test('are told by the command, and a condition that there is not is refused', () => {
    const { code, out } = perennial('knowledge', 'neighbours', 'vocal_cord_dysfunction');
    expect([code, out.includes('asthma: ')]).toEqual([0, true]);
    expect(perennial('knowledge', 'neighbours', 'no_such_condition').code).toBe(1);
  });
});
