import { type AccountImpact, impactOf } from '../../contract/impact.ts';
import { recordedUse, USE_HELP, USE_OPTIONS } from '../use.ts';
import type { Verb } from '../verb.ts';

/** Replays recorded use against a draft. */
export const impact: Verb = {
  name: 'impact',
  usage: '<date> [--use <file>] [--days <n>]',
  summary: 'Which accounts a release breaks where they stay, and what each would meet if it moved, by what they call.',
  help: [...USE_HELP, 'Exit code 1 where an account breaks that stays in its version.'],
  options: USE_OPTIONS,
  async run({ root, args, options, project }) {
    const opened = await project();
    const draft = opened.release(args[0], 'impact <date>');
    const uses = recordedUse(root, options);
    const accounts = impactOf(opened.translator(), opened.history.releases, draft, root, uses);
    const broken = accounts.filter(({ breaks }) => breaks.length > 0);
    return {
      exitCode: broken.length > 0 ? 1 : 0,
      json: { release: draft.id, accounts },
      lines: (paint) => [
        paint.title(`v${draft.id}: ${accounts.length} accounts called, ${broken.length} break where they stay`),
        ...accounts.flatMap((account) => ['', paint.title(nameOf(account)), ...linesOf(account)]),
      ],
    };
  },
};

function nameOf({ account, name }: AccountImpact): string {
  return name === null ? account : `${name} (${account})`;
}

function linesOf({ breaks, move }: AccountImpact): readonly string[] {
  return [
    ...breaks.map(
      ({ release, difference: { place, text }, operations }) =>
        `  breaks at v${release}: ${place} ${text}; called ${operations.map(calls).join(', ')}`,
    ),
    ...(breaks.length === 0 ? ['  nothing breaks where it stays'] : []),
    ...(move?.steps ?? []).map(
      ({ change, uses }) => `  to move: ${change}${uses.length === 0 ? '' : ` touches ${uses.map(calls).join(', ')}`}`,
    ),
    ...(move && move.steps.length === 0 ? ['  to move: nothing touches what it calls'] : []),
  ];
}

function calls({ operation, count }: { readonly operation: string; readonly count: number }): string {
  return `${operation} (${count})`;
}
