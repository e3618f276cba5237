import { isRecorded, readLedger } from '../../contract/ledger.ts';
import { lockStateOf } from '../../contract/released.ts';
import { changedLines, editRelease, formatted, readHistory, writeHistory } from '../edit.ts';
import { refuseBrokenLedger } from '../ledger.ts';
import { dayArgument, HISTORY_FILE } from '../project.ts';
import { readProof, stateOf } from '../proofs.ts';
import { Refused, type Verb } from '../verb.ts';

/** Makes a preview current. */
export const promote: Verb = {
  name: 'promote',
  usage: '<date> [--on <date>] [--dry-run]',
  summary: 'Makes a preview current, from the day of its name or from --on.',
  help: [
    'From that day on its contract is locked: npm run release -- lock must have recorded it, and npm run release -- prove',
    'must have passed for what the repository holds now.',
  ],
  options: { on: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run({ root, args, options, project }) {
    const opened = await project();
    const release = opened.release(args[0], 'promote <date>');
    if (release.released !== undefined)
      throw new Refused(`promote: v${release.id} has been released on ${release.released}`);
    const { state } = lockStateOf(opened.translator(), release, root);
    if (state !== 'locked')
      throw new Refused(
        `promote: the contract of v${release.id} is not locked as it is; npm run release -- lock ${release.id}`,
      );
    refuseBrokenLedger('promote', opened);
    if (!isRecorded(readLedger(root), release.id, opened.translator().catalogue))
      throw new Refused(
        `promote: sentences of v${release.id} were edited since it was locked; npm run release -- lock`,
      );
    const proof = readProof(root, release.id);
    if (proof?.state !== stateOf(root))
      throw new Refused(
        `promote: v${release.id} ${proof ? 'was proven before the last edit' : 'has not been proven'}; npm run release -- prove ${release.id}`,
      );
    const released = dayArgument(options.text('on') ?? release.id, '--on');
    const before = readHistory(root);
    const after = formatted(editRelease(before, release.id, { released }, []), HISTORY_FILE);
    await writeHistory(root, after, options.flag('dry-run'));
    const lines = changedLines(before, after);
    return {
      exitCode: 0,
      json: { release: release.id, released, dryRun: options.flag('dry-run'), changed: lines },
      lines: (paint) => [paint.title(`v${release.id} is current from ${released} on.`), ...lines],
    };
  },
};
