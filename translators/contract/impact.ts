import type { Release } from '@perennial/schemas/history.ts';
import type { Translator } from '../engine/translator.ts';
import type { Difference } from './difference.ts';
import { type Guide, guides } from './guide.ts';
import { lockStateOf } from './released.ts';
import { byAccount, type RecordedUse } from './use.ts';

/** What a draft release does to one account that was recorded. */
export interface AccountImpact {
  readonly account: string;
  readonly name: string | null;
  /** What breaks where the account stays in its version: a promise that the draft does not keep. */
  readonly breaks: readonly Broken[];
  /** What it would meet if it moved; undefined where it called nothing in an older version. */
  readonly move: Guide | undefined;
}

/** One promise broken for calls that were really made. */
export interface Broken {
  readonly release: string;
  readonly difference: Difference;
  readonly operations: readonly { readonly operation: string; readonly count: number }[];
}

/**
 * Replays recorded use against the contracts that the draft leaves to every version, and against those that were locked.
 * @param root where the locks are. @param draft the release that is new.
 */
export function impactOf(
  translator: Translator,
  releases: readonly Release[],
  draft: Release,
  root: string,
  uses: readonly RecordedUse[],
): readonly AccountImpact[] {
  const broken = new Map<string, readonly Difference[]>();
  const brokenIn = (id: string): readonly Difference[] => {
    let known = broken.get(id);
    if (!known) {
      const release = releases.find((each) => each.id === id);
      const differences = release === undefined ? [] : lockStateOf(translator, release, root).differences;
      known = differences.filter(({ severity }) => severity === 'breaking');
      broken.set(id, known);
    }
    return known;
  };
  const guide = guides(translator, releases, draft);
  return [...byAccount(uses)].map(([account, own]) => ({
    account,
    name: own[0]?.name ?? null,
    breaks: breaksOf(own, brokenIn),
    move: guide(own),
  }));
}

function breaksOf(
  uses: readonly RecordedUse[],
  brokenIn: (release: string) => readonly Difference[],
): readonly Broken[] {
  return [...new Set(uses.map(({ release }) => release))].sort().flatMap((release) => {
    const called = new Map<string, number>();
    for (const use of uses)
      if (use.release === release) called.set(use.operation, (called.get(use.operation) ?? 0) + use.count);
    return brokenIn(release).flatMap((difference) => {
      const operations = [...called]
        .filter(([operation]) => difference.operations.length === 0 || difference.operations.includes(operation))
        .map(([operation, count]) => ({ operation, count }));
      return operations.length === 0 ? [] : [{ release, difference, operations }];
    });
  });
}
