import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Contract } from '@perennial/schemas/contract.ts';
import type { History, Release } from '@perennial/schemas/history.ts';
import { checkHistory } from '@perennial/schemas/lifecycle.ts';
import { dayOf, isDay } from '@perennial/schemas/platform/calendar.ts';
import type { ReleaseChanges } from '../engine/change.ts';
import type { Translator } from '../engine/translator.ts';
import { Refused, UsageFault } from './verb.ts';

/** The parts of a repository that the tool works on, loaded from its folder. */
export interface Project {
  readonly root: string;
  readonly history: History;
  readonly head: Contract;
  readonly releases: readonly ReleaseChanges[];
  readonly additions: Readonly<Record<string, readonly string[]>>;
  /** Everything derived. @throws {Refused} when the history or the changes are refused. */
  translator(): Translator;
  /** The faults that keep a translator from being made. */
  faults(): readonly string[];
  /** A release of the history. @throws {UsageFault} */
  release(id: string | undefined, what: string): Release;
}

/** Paths below the root. */
export const HISTORY_FILE = join('schemas', 'history.ts');
export const RELEASES_FILE = join('translators', 'releases', 'index.ts');

/** Opens the repository at `root`. The engine is the repository's own, so that its changes meet their own classes. */
export async function openProject(root: string): Promise<Project> {
  const { history } = await load<{ history: History }>(root, HISTORY_FILE);
  const { head } = await load<{ head: Contract }>(root, join('schemas', 'contract.ts'));
  const { additions } = await load<{ additions: Project['additions'] }>(root, join('schemas', 'additions.ts'));
  const { releases } = await load<{ releases: readonly ReleaseChanges[] }>(root, RELEASES_FILE);
  const { createTranslator } = await load<{
    createTranslator: (head: Contract, history: History, releases: readonly ReleaseChanges[]) => Translator;
  }>(root, join('translators', 'engine', 'translator.ts'));
  let made: Translator | undefined;
  const faultsOf = (work: () => unknown): readonly string[] => {
    try {
      work();
      return [];
    } catch (error) {
      const faults: unknown = (error as { faults?: unknown }).faults;
      if (Array.isArray(faults)) return faults as string[];
      return [(error as Error).message];
    }
  };
  const make = (): Translator => {
    made ??= createTranslator(head, history, releases);
    return made;
  };
  const faults = (): readonly string[] => [
    ...faultsOf(() => checkHistory(history)).map((fault) => `${HISTORY_FILE}: ${fault}`),
    ...faultsOf(make).map((fault) => `${join('translators', 'releases')}: ${fault}`),
  ];
  return {
    root,
    history,
    head,
    releases,
    additions,
    faults,
    translator() {
      const [first, ...others] = faults();
      if (first !== undefined)
        throw new Refused(
          others.length === 0 ? first : `${first} (and ${others.length} more: npm run release -- check lists them)`,
        );
      return make();
    },
    release(id, what) {
      const day = dayArgument(id, what);
      const found = history.releases.find((release) => release.id === day);
      if (found) return found;
      const known = history.releases.map((release) => release.id).join(', ');
      throw new UsageFault(`${what}: ${day} is not a release of ${HISTORY_FILE}; it has ${known}`);
    },
  };
}

/** The day that rules the lifecycle, as the history says. */
export function serviceDay(history: History): string {
  return history.today === 'system' ? dayOf(new Date()) : history.today;
}

/** A date argument; `v2023-10-15` is the same as `2023-10-15`. @throws {UsageFault} */
export function dayArgument(text: string | undefined, what: string): string {
  if (text === undefined) throw new UsageFault(`${what} is missing`);
  const day = text.replace(/^v/, '');
  if (!isDay(day)) throw new UsageFault(`${what}: "${text}" is not a day that exists, YYYY-MM-DD`);
  return day;
}

/** A path as the caller means it: npm runs scripts in the repository, wherever it was called from. */
export function fromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

/** A JSON file that a client would send or that was recorded. @throws {UsageFault} naming file and place. */
export function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(fromCaller(path), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageFault(`${path}: ${code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFault(`${path}: not JSON: ${oneLine((error as Error).message)}`);
  }
}

/** Loads a module of the repository. @throws {UsageFault} naming the file and, where it is known, the line. */
export async function load<T>(root: string, path: string): Promise<T> {
  const file = join(root, path);
  if (!existsSync(file)) throw new UsageFault(`${path}: there is no such file under ${root}`);
  try {
    return (await import(pathToFileURL(file).href)) as T;
  } catch (error) {
    throw new UsageFault(placeOf(error as Error, root, path));
  }
}

/** One line for what a module threw while it was read: the file and line that the stack or the message name. */
function placeOf(error: Error, root: string, path: string): string {
  const stack = error.stack ?? '';
  const place = /(file:\/\/\S+?|\/[^\s:()]+\.ts):(\d+)/.exec(stack);
  const file = place?.[1]?.startsWith('file:') ? fileURLToPath(place[1]) : place?.[1];
  const inside = file?.startsWith(root) && !file.includes('node_modules') ? relative(root, file) : undefined;
  return `${inside === undefined ? path : `${inside}:${place?.[2]}`}: ${error.name}: ${oneLine(error.message)}`;
}

/** The text with line breaks and the code excerpts of parsers taken out. */
export function oneLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[│╭╰|`─·,-]/.test(line));
  return (lines[0] ?? text.trim()).replace(/^\s*x\s+/i, '');
}
