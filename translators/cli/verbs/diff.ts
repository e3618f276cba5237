import { differencesBetween, type ExplainedDifference } from '../../contract/explain.ts';
import type { Verb } from '../verb.ts';

/** Says what differs between two releases. */
export const diff: Verb = {
  name: 'diff',
  usage: '<date> <date> [--all]',
  summary: 'Differences between two versions, each with the change that makes it.',
  help: ['--all    changes of wording too'],
  options: { all: { type: 'boolean' } },
  async run({ args, options, project }) {
    const opened = await project();
    const [from, to] = [opened.release(args[0], 'diff <date> …'), opened.release(args[1], 'diff … <date>')].sort(
      (a, b) => (a.id < b.id ? -1 : 1),
    ) as [ReturnType<typeof opened.release>, ReturnType<typeof opened.release>];
    const differences = differencesBetween(opened.translator(), from, to).filter(
      ({ severity }) => options.flag('all') || severity !== 'wording',
    );
    const groups = new Map<string, ExplainedDifference[]>();
    for (const difference of differences) {
      const key = difference.change?.name ?? `${difference.release}, added`;
      groups.set(key, [...(groups.get(key) ?? []), difference]);
    }
    const breaking = differences.filter(({ severity }) => severity === 'breaking').length;
    return {
      exitCode: 0,
      json: { from: from.id, to: to.id, differences },
      lines: (paint) => [
        paint.title(`v${from.id} → v${to.id}: ${breaking} breaking, ${differences.length - breaking} other`),
        ...[...groups].flatMap(([name, list]) => [
          '',
          paint.title(name),
          ...(list[0]?.change ? [paint.faint(`  ${list[0].change.sentence}`)] : []),
          ...list.map(
            ({ severity, place, direction, text, operations }) =>
              `  ${paint.severity(severity)} ${place}${direction === 'operation' ? '' : ` (${direction})`} ${text}${
                operations.length === 0 || operations.length > 3 || operations[0] === place
                  ? ''
                  : paint.faint(`  ${operations.join(', ')}`)
              }`,
          ),
        ]),
      ],
    };
  },
};
