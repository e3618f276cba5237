import type { Release } from '@perennial/schemas/history.ts';
import type { Catalogue } from '../engine/catalogue.ts';

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
  readonly changes: readonly { readonly id: string; readonly sentence: string }[];
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
        .map(({ change }) => ({ id: change.id, sentence: change.sentence })),
    }));
}

/** The changelog as Markdown. */
export function changelogMarkdown(entries: readonly ChangelogEntry[]): string {
  const sections = entries.map(({ release, semver, released, additions, changes }) =>
    [
      `## v${release} (${semver}${released === null ? ', preview' : ''})`,
      ...list('Added', additions),
      ...list(
        'Changed',
        changes.map(({ sentence }) => sentence),
      ),
      ...(additions.length + changes.length === 0 ? ['The first version.'] : []),
    ].join('\n\n'),
  );
  return `${['# Changelog', ...sections].join('\n\n')}\n`;
}

function list(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`### ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}
