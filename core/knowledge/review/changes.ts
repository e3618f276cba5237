import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyze } from '../../diagnostics/engine/analyze.ts';
import type { PatientData } from '../../diagnostics/engine/types.ts';
import { KnowledgeError, loadKnowledge } from '../load.ts';
import type { Knowledge } from '../types.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));

/** A case or record that comes out differently, and in what. */
export interface Differing {
  readonly id: string;
  readonly what: readonly string[];
}

interface Asked {
  readonly id: string;
  readonly patientData: PatientData;
}

/**
 * Compares what the engine answers with this knowledge and with another.
 * @param options.against a folder of knowledge, or a revision of the repository that holds one.
 * @param options.cases JSON array of cases: `{id, patientData}`, or with `age`, `sex`, `text` in place of it.
 * @param options.records JSON array, or `{items}`, of diagnostic records as they are answered; images are passed over.
 * @throws KnowledgeError when the other knowledge cannot be read.
 */
export function changesFrom({
  against,
  cases,
  records,
}: {
  readonly against: string;
  readonly cases: string;
  readonly records?: string | undefined;
}): { readonly total: number; readonly differing: readonly Differing[] } {
  const now = loadKnowledge();
  const before = knowledgeAt(against);
  const asked = [...read(cases, 'case'), ...(records === undefined ? [] : read(records, 'record'))];
  const differing = asked.flatMap(({ id, patientData }) => {
    const what = differences(answer(before, patientData), answer(now, patientData));
    return what.length === 0 ? [] : [{ id, what }];
  });
  return { total: asked.length, differing };
}

function knowledgeAt(against: string): Knowledge {
  if (existsSync(join(against, 'version.json'))) return loadKnowledge(against);
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-'));
  try {
    const root = git(HERE, ['rev-parse', '--show-toplevel']).toString().trim();
    const path = relative(root, HERE).replaceAll('\\', '/').replace(/\/$/, '');
    const archive = git(root, ['archive', against, path]);
    const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive });
    if (unpacked.status !== 0) throw new KnowledgeError([`${against} cannot be unpacked`]);
    return loadKnowledge(join(folder, path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(folder: string, args: readonly string[]): Buffer {
  const { status, stdout } = spawnSync('git', [...args], { cwd: folder, maxBuffer: 512 * 1024 * 1024 });
  if (status !== 0) throw new KnowledgeError([`there is no revision with knowledge by the name that was given`]);
  return stdout;
}

/** What of an answer is compared: what a caller acts on. */
interface Answer {
  readonly triage: string;
  readonly flags: readonly string[];
  readonly suggestions: readonly string[];
  readonly treatments: ReadonlyMap<string, string>;
}

function answer(knowledge: Knowledge, patientData: PatientData): Answer {
  const { diagnostic_result: result } = analyze(knowledge, { patientData });
  return {
    triage: result.triage.level,
    flags: result.red_flags.map(({ id }) => id).sort(),
    suggestions: result.suggestions.map(({ condition }) => condition.id),
    treatments: new Map(
      result.suggestions.map(({ condition, treatments }) => [condition.id, treatments.map(({ id }) => id).join(', ')]),
    ),
  };
}

function differences(before: Answer, now: Answer): string[] {
  const what: string[] = [];
  const compare = (name: string, a: string, b: string): void => {
    if (a !== b) what.push(`${name} ${a || 'none'} → ${b || 'none'}`);
  };
  compare('triage', before.triage, now.triage);
  compare('red flags', before.flags.join(', '), now.flags.join(', '));
  compare('suggestions', before.suggestions.join(', '), now.suggestions.join(', '));
  for (const [id, treatments] of now.treatments)
    compare(`treatments of ${id}:`, before.treatments.get(id) ?? treatments, treatments);
  return what;
}

function read(file: string, kind: 'case' | 'record'): Asked[] {
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as unknown;
  const list = Array.isArray(parsed) ? parsed : ((parsed as { items?: unknown[] } | null)?.items ?? []);
  return list.flatMap((each: Record<string, unknown>, index) => {
    const id = typeof each['id'] === 'string' ? each['id'] : `${kind} ${index + 1}`;
    if (typeof each['patientData'] === 'object' && each['patientData'] !== null)
      return [{ id, patientData: each['patientData'] as PatientData }];
    const { age, sex, text } = each;
    if (typeof text !== 'string') return [];
    const patientData = {
      symptoms: [text],
      ...(age === undefined ? {} : { age }),
      ...(sex === undefined ? {} : { sex }),
    };
    return [{ id, patientData: patientData as PatientData }];
  });
}
