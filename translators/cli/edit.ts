import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { History, Release, Waiver } from '@perennial/schemas/history.ts';
import { checkHistory, HistoryInvalid } from '@perennial/schemas/lifecycle.ts';
import { type ArrayExpression, type Node, type ObjectExpression, type Program, type Property, parse } from 'acorn';
import { HISTORY_FILE, load, oneLine } from './project.ts';
import { Refused, UsageFault } from './verb.ts';

/*
 * Edits of source files that keep everything else, comments too: the file is parsed to find the places, and only
 * those places are replaced.
 */

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The order of a release's members in the history. */
const memberOrder = ['id', 'semver', 'previewFrom', 'released', 'deprecated', 'sunset', 'waivers'] as const;

/** Dates to set on a release. */
export type ReleaseDates = Partial<Pick<Release, 'released' | 'deprecated' | 'sunset'>>;

/** Sets dates of a release and adds waivers. Returns the new text of the history file. */
export function editRelease(text: string, id: string, dates: ReleaseDates, waivers: readonly Waiver[]): string {
  const entries = arrayOf(program(text, HISTORY_FILE), 'history', 'releases');
  const entry = entries.elements.find(
    (each): each is ObjectExpression => each?.type === 'ObjectExpression' && literalOf(member(each, 'id')) === id,
  );
  if (!entry) throw new UsageFault(`${HISTORY_FILE}: no entry has the id ${id} written as a text`);
  const replacements: Replacement[] = [];
  for (const [name, value] of Object.entries(dates)) {
    const existing = member(entry, name);
    if (existing) replacements.push({ start: existing.value.start, end: existing.value.end, text: quoted(value) });
  }
  const existingWaivers = member(entry, 'waivers');
  if (waivers.length > 0 && existingWaivers) {
    if (existingWaivers.value.type !== 'ArrayExpression')
      throw new UsageFault(`${HISTORY_FILE}: the waivers of ${id} are not written as a list`);
    replacements.push(append(text, existingWaivers.value, waivers.map(waiverText)));
  }
  const additions = new Map<string, string[]>();
  for (const name of memberOrder) {
    const value =
      name === 'waivers'
        ? waivers.length > 0
          ? `[${waivers.map(waiverText).join(', ')}]`
          : undefined
        : quotedDate(dates, name);
    if (value === undefined || member(entry, name)) continue;
    const before = memberOrder.slice(0, memberOrder.indexOf(name)).filter((each) => member(entry, each));
    const anchor = before.at(-1) as string;
    additions.set(anchor, [...(additions.get(anchor) ?? []), `${name}: ${value}`]);
  }
  for (const [anchor, members] of additions)
    replacements.push(insertAfter(text, member(entry, anchor) as Property, members));
  return apply(text, replacements);
}

/** Puts a release at the top of the history. */
export function addRelease(text: string, release: Release): string {
  const entries = arrayOf(program(text, HISTORY_FILE), 'history', 'releases');
  const members = Object.entries(release).map(([name, value]) => `${name}: ${quoted(String(value))}`);
  return apply(text, [prepend(entries, `{ ${members.join(', ')} }`)]);
}

/** Adds a release's folder to the list of releases. */
export function bindRelease(text: string, file: string, release: string): string {
  const tree = program(text, file);
  const name = bindingOf(release);
  const imports = tree.body.filter((each) => each.type === 'ImportDeclaration');
  const at = imports.at(-1)?.end ?? 0;
  return apply(text, [
    { start: at, end: at, text: `\nimport { ${name} } from './${release}/index.ts';` },
    append(text, arrayOf(tree, 'releases'), [name]),
  ]);
}

/** `2024-04-01` → `release20240401`. */
export function bindingOf(release: string): string {
  return `release${release.replaceAll('-', '')}`;
}

/** The text as the repository's formatter writes it; unchanged where that is not installed. */
export function formatted(text: string, path: string): string {
  const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const biome = join(repository, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  if (!existsSync(biome)) return text;
  const { status, stdout } = spawnSync(
    process.execPath,
    [biome, 'check', '--write', `--stdin-file-path=${join(repository, path)}`],
    { cwd: repository, input: text, encoding: 'utf8' },
  );
  return status === 0 && stdout.trim() !== '' ? stdout : text;
}

/**
 * Writes a new history after reading it back as a module and checking it.
 * @throws {Refused} naming every promise it breaks; the file is then as it was.
 */
export async function writeHistory(root: string, text: string, isDryRun: boolean): Promise<History> {
  // Beside the real file, because what it imports is relative.
  const name = `.history-${randomUUID()}.ts`;
  const temporary = join(root, 'schemas', name);
  writeFileSync(temporary, text);
  try {
    const { history } = await load<{ history: History }>(root, join('schemas', name));
    checkHistory(history);
    if (!isDryRun) renameSync(temporary, join(root, HISTORY_FILE));
    return history;
  } catch (error) {
    if (error instanceof HistoryInvalid) throw new Refused(error.faults.join('; '));
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The text of the history file. */
export function readHistory(root: string): string {
  return readFileSync(join(root, HISTORY_FILE), 'utf8');
}

/** What differs between two texts, by lines: what all have in common at both ends is left out. */
export function changedLines(before: string, after: string): readonly string[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [
    ...a.slice(start, a.length - end).map((line) => `- ${line}`),
    ...b.slice(start, b.length - end).map((line) => `+ ${line}`),
  ];
}

function program(text: string, file: string): Program {
  try {
    // Types become blanks of the same length, so that every place stays where it is.
    return parse(stripTypeScriptTypes(text, { mode: 'strip' }), { ecmaVersion: 'latest', sourceType: 'module' });
  } catch (error) {
    throw new UsageFault(`${file}: ${oneLine((error as Error).message)}`);
  }
}

/** The list that a constant, or a member of it, is initialised with. */
function arrayOf(tree: Program, constant: string, name?: string): ArrayExpression {
  for (const statement of tree.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== 'Identifier' || id.name !== constant) continue;
      const value = name !== undefined && init?.type === 'ObjectExpression' ? member(init, name)?.value : init;
      if (value?.type === 'ArrayExpression') return value;
    }
  }
  throw new UsageFault(`there is no list "${name ?? constant}" written out where the tool looks for it`);
}

function member(object: ObjectExpression, name: string): Property | undefined {
  return object.properties.find(
    (each): each is Property =>
      each.type === 'Property' &&
      ((each.key.type === 'Identifier' && each.key.name === name) ||
        (each.key.type === 'Literal' && each.key.value === name)),
  );
}

function literalOf(property: Property | undefined): unknown {
  return property?.value.type === 'Literal' ? property.value.value : undefined;
}

function insertAfter(text: string, anchor: Node, members: readonly string[]): Replacement {
  // A comment on the anchor's line belongs to it, so the new members go below.
  const rest = /^,[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?=\n)/.exec(text.slice(anchor.end));
  if (!rest) return { start: anchor.end, end: anchor.end, text: members.map((each) => `, ${each}`).join('') };
  const at = anchor.end + rest[0].length;
  const indent = /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', anchor.start - 1) + 1, anchor.start))?.[0] ?? '';
  return { start: at, end: at, text: members.map((each) => `\n${indent}${each},`).join('') };
}

function prepend(list: ArrayExpression, element: string): Replacement {
  const at = list.start + 1;
  return { start: at, end: at, text: `\n${element}${list.elements.length > 0 ? ',' : ''}` };
}

function append(text: string, list: ArrayExpression, elements: readonly string[]): Replacement {
  const last = list.elements.at(-1);
  if (!last) return { start: list.start + 1, end: list.start + 1, text: elements.join(', ') };
  return insertAfter(text, last, elements);
}

function apply(text: string, replacements: readonly Replacement[]): string {
  let result = text;
  for (const { start, end, text: put } of [...replacements].sort((a, b) => b.start - a.start))
    result = result.slice(0, start) + put + result.slice(end);
  return result;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ')}'`;
}

function quotedDate(dates: ReleaseDates, name: string): string | undefined {
  const value = (dates as Readonly<Record<string, string>>)[name];
  return value === undefined ? undefined : quoted(value);
}

function waiverText({ guarantee, reason }: Waiver): string {
  return `{ guarantee: ${quoted(guarantee)}, reason: ${quoted(reason)} }`;
}
