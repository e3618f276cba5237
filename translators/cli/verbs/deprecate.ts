import type { Guarantee, Waiver } from '@perennial/schemas/history.ts';
import { changedLines, editRelease, formatted, readHistory, writeHistory } from '../edit.ts';
import { dayArgument, HISTORY_FILE, serviceDay } from '../project.ts';
import { Refused, UsageFault, type Verb } from '../verb.ts';

const guarantees: readonly Guarantee[] = [
  'support-after-succession',
  'notice-before-sunset',
  'support-after-new-major',
  'preview-order',
];

/** Announces the end of a version. */
export const deprecate: Verb = {
  name: 'deprecate',
  usage: '<date> --sunset <date> [--on <date>] [--waive <guarantee> --reason <text>]… [--dry-run]',
  summary:
    'Announces the end of a version: deprecated from --on (the service date when left out), 410 from --sunset on.',
  help: [
    'Dates that break a guarantee are refused, unless it is waived by name with the reason a client would be given.',
    `Guarantees: ${guarantees.join(', ')}.`,
    'A sunset that was announced can be postponed, not brought forward.',
  ],
  options: {
    sunset: { type: 'string' },
    on: { type: 'string' },
    waive: { type: 'string', multiple: true },
    reason: { type: 'string', multiple: true },
    'dry-run': { type: 'boolean' },
  },
  async run({ root, args, options, project }) {
    const sunset = dayArgument(options.text('sunset'), '--sunset');
    const waivers = waiversOf(options.list('waive'), options.list('reason'));
    const opened = await project();
    const release = opened.release(args[0], 'deprecate <date>');
    if (release.released === undefined)
      throw new Refused(`deprecate: v${release.id} is a preview; delete it instead, nobody was promised anything`);
    if (release.sunset !== undefined && sunset < release.sunset)
      throw new Refused(
        `deprecate: the sunset of v${release.id} was announced for ${release.sunset}; it can be postponed, not brought forward`,
      );
    // A version that is deprecated already was announced then.
    const deprecated = dayArgument(options.text('on') ?? release.deprecated ?? serviceDay(opened.history), '--on');
    const before = readHistory(root);
    const after = formatted(editRelease(before, release.id, { deprecated, sunset }, waivers), HISTORY_FILE);
    await writeHistory(root, after, options.flag('dry-run'));
    const lines = changedLines(before, after);
    return {
      exitCode: 0,
      json: { release: release.id, deprecated, sunset, waivers, dryRun: options.flag('dry-run'), changed: lines },
      lines: (paint) => [
        paint.title(`v${release.id} is deprecated from ${deprecated} on and ends on ${sunset}.`),
        ...lines,
      ],
    };
  },
};

function waiversOf(names: readonly string[], reasons: readonly string[]): readonly Waiver[] {
  if (names.length !== reasons.length)
    throw new UsageFault('deprecate: every --waive needs a --reason of its own, and no reason stands alone');
  return names.map((name, index) => {
    const guarantee = guarantees.find((each) => each === name);
    if (!guarantee)
      throw new UsageFault(`--waive: there is no guarantee "${name}"; there are ${guarantees.join(', ')}`);
    const reason = reasons[index]?.trim() ?? '';
    if (reason === '') throw new UsageFault(`--reason: the waiver of ${guarantee} needs a reason that can be read`);
    return { guarantee, reason };
  });
}
