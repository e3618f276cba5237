import type { Release } from '@perennial/schemas/history.ts';
import type { Step } from '../engine/step.ts';
import type { Translator } from '../engine/translator.ts';
import { type ToldExample, toldExample } from './changelog.ts';
import type { Difference } from './difference.ts';
import { differencesBetween, type ExplainedDifference } from './explain.ts';
import type { RecordedUse } from './use.ts';

/** What moving to a version asks of one account, from what it really calls. */
export interface Guide {
  readonly from: string;
  readonly to: string;
  readonly steps: readonly GuideStep[];
}

/** One change that touches what the account calls. */
export interface GuideStep {
  /** `2023-04-30/rename-gender-to-sex`. */
  readonly change: string;
  readonly sentence: string;
  /** Operations of the account that it touches, with how often each was called. */
  readonly uses: readonly { readonly operation: string; readonly count: number }[];
  readonly advice: Advice;
  readonly examples: readonly ToldExample[];
}

/** What a client has to write in another way. */
export interface Advice {
  /** Dotted places with their resource, older and newer. */
  readonly renames: readonly (readonly [older: string, newer: string])[];
  /** Everything else that breaks, in words. */
  readonly others: readonly string[];
}

/** Sorts differences into what can be replaced in code and what must be read. */
export function adviceOf(differences: readonly Difference[]): Advice {
  const renames = new Map<string, string>();
  const others = new Set<string>();
  for (const { place, text, severity } of differences) {
    const newer = /^renamed to (\S+)$/.exec(text)?.[1];
    const [resource = '', ...path] = place.split('.');
    if (newer !== undefined && path.length > 0) renames.set(place, `${resource}.${newer}`);
    else if (severity === 'breaking') others.add(`\`${place}\`: ${text}`);
  }
  return { renames: [...renames], others: [...others] };
}

/** Makes guides to a version; differences are made once for each version that accounts come from. */
export function guides(
  translator: Translator,
  releases: readonly Release[],
  to: Release,
): (uses: readonly RecordedUse[]) => Guide | undefined {
  const found = new Map<string, readonly ExplainedDifference[]>();
  const differences = (from: Release): readonly ExplainedDifference[] => {
    let known = found.get(from.id);
    if (!known) {
      known = differencesBetween(translator, from, to);
      found.set(from.id, known);
    }
    return known;
  };
  return (uses) => {
    const older = uses.filter(({ release }) => release < to.id && releases.some(({ id }) => id === release));
    const from = releases.find(({ id }) => id === older.map(({ release }) => release).sort()[0]);
    if (!from) return undefined;
    const steps = translator.catalogue.steps.filter(({ release }) => release > from.id && release <= to.id);
    return {
      from: from.id,
      to: to.id,
      steps: steps.flatMap((step) => stepOf(translator, step, older, differences(from))),
    };
  };
}

function stepOf(
  translator: Translator,
  step: Step,
  uses: readonly RecordedUse[],
  differences: readonly ExplainedDifference[],
): readonly GuideStep[] {
  const touched = new Map<string, number>();
  for (const { release, operation, count } of uses)
    if (release < step.release && translator.plan(release, operation)?.changes.includes(step.name))
      touched.set(operation, (touched.get(operation) ?? 0) + count);
  // Of no operation, and so of all: where a key is sent.
  if (touched.size === 0 && step.change.behaviours === undefined) return [];
  const own = differences.filter(
    ({ change, operations }) =>
      change?.name === step.name && (operations.length === 0 || operations.some((operation) => touched.has(operation))),
  );
  return [
    {
      change: step.name,
      sentence: step.change.sentence,
      uses: [...touched].map(([operation, count]) => ({ operation, count })).sort((a, b) => b.count - a.count),
      advice: adviceOf(own),
      examples: step.examples.map(toldExample),
    },
  ];
}

/** A guide as Markdown. */
export function guideMarkdown({ from, to, steps }: Guide, account: string): string {
  const sections = steps.map(({ sentence, uses, advice, examples }, index) =>
    [
      `## ${index + 1}. ${sentence}`,
      ...(uses.length === 0
        ? []
        : [`Touches ${uses.map(({ operation, count }) => `\`${operation}\` (${count})`).join(', ')}.`]),
      ...(advice.renames.length === 0
        ? []
        : [advice.renames.map(([older, newer]) => `- \`${older}\` is now \`${newer}\``).join('\n')]),
      ...(advice.others.length === 0 ? [] : [advice.others.map((text) => `- ${text}`).join('\n')]),
      ...(examples.length === 0
        ? []
        : [examples.map(({ older, newer }) => `- before \`${older}\`, now \`${newer}\``).join('\n')]),
    ].join('\n\n'),
  );
  const none = 'No change touches what this account calls: name the new version, and you are done.';
  return `${[`# ${account}: v${from} to v${to}`, ...(sections.length === 0 ? [none] : sections)].join('\n\n')}\n`;
}
