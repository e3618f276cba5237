import type { Release } from '@perennial/schemas/history.ts';
import type { Catalogue } from '../engine/catalogue.ts';
import type { ChangeExample } from '../engine/change.ts';

/** What one release changed, in the words of its changes. */
export interface ChangelogEntry {
  /** `YYYY-MM-DD`. */
  readonly release: string;
  readonly semver: string;
  /** The day it became current; null while it is a preview. */
  readonly released: string | null;
  /** What it added without breaking anything. */
  readonly additions: readonly string[];
  /** What clients of the release before must look at. */
  readonly changes: readonly ToldChange[];
}

/** A change as clients are told of it. */
export interface ToldChange {
  readonly id: string;
  readonly sentence: string;
  /** The same thing before and after; see `ChangeExample`. */
  readonly examples: readonly ToldExample[];
}

/** One example, ready to be shown: what it is of, and both sides as one line of JSON, a request or a text. */
export interface ToldExample {
  /** A resource, an operation, or nothing where neither is meant. */
  readonly of: string | null;
  readonly older: string;
  readonly newer: string;
}

/**
 * The changelog, newest release first.
 * @param releases those to tell of: a release that does not exist yet is nobody's business.
 * @param additions texts by release; see `schemas/additions.ts`.
 */
export function changelogOf(
  catalogue: Catalogue,
  releases: readonly Release[],
  additions: Readonly<Record<string, readonly string[]>>,
): readonly ChangelogEntry[] {
  return [...releases]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .map((release) => ({
      release: release.id,
      semver: release.semver,
      released: release.released ?? null,
      additions: additions[release.id] ?? [],
      changes: catalogue.steps
        .filter((step) => step.release === release.id && step.change.isInternal !== true)
        .map(({ change, examples }) => ({
          id: change.id,
          sentence: change.sentence,
          examples: examples.map(toldExample),
        })),
    }));
}

/** The examples of a change, by its name (`2023-04-30/rename-gender-to-sex`); empty where there is no such change. */
export function examplesOf(catalogue: Catalogue, change: string): readonly ToldExample[] {
  return (catalogue.steps.find(({ name }) => name === change)?.examples ?? []).map(toldExample);
}

/** One example, ready to be shown. */
export function toldExample(example: ChangeExample): ToldExample {
  const { older, newer } = example;
  if ('resource' in example)
    return { of: example.resource, older: JSON.stringify(older), newer: JSON.stringify(newer) };
  return { of: 'operation' in example ? example.operation : null, older: String(older), newer: String(newer) };
}

/** The changelog as Markdown. */
export function changelogMarkdown(entries: readonly ChangelogEntry[]): string {
  const sections = entries.map(({ release, semver, released, additions, changes }) =>
    [
      `## v${release} (${semver}${released === null ? ', preview' : ''})`,
      ...list('Added', additions),
      ...list('Changed', changes.map(changeMarkdown)),
      ...(additions.length + changes.length === 0 ? ['The first version.'] : []),
    ].join('\n\n'),
  );
  return `${['# Changelog', ...sections].join('\n\n')}\n`;
}

function changeMarkdown({ sentence, examples }: ToldChange): string {
  const lines = examples.map(({ older, newer }) => `  - before \`${older}\`, now \`${newer}\``);
  return [sentence, ...lines].join('\n');
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}
