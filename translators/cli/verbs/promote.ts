import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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
  usage: '<date> [--on <date>] [--accounts] [--dry-run]',
  summary: 'Makes a preview current, from the day of its name or from --on.',
  help: [
    'From that day on its contract is locked: npm run release -- lock must have recorded it, and npm run release -- prove',
    'must have passed for what the repository holds now.',
    'An account keeps the version that was current at its first call: promote moves nobody. Those that have not called yet',
    'get the new one when they do; --accounts, or DATABASE_URL, lists them before anything is written.',
  ],
  options: { on: { type: 'string' }, accounts: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
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
    const unpinned = options.flag('accounts') || isDatabaseNamed() ? unpinnedAccounts(root) : undefined;
    const before = readHistory(root);
    const after = formatted(editRelease(before, release.id, { released }, []), HISTORY_FILE);
    await writeHistory(root, after, options.flag('dry-run'));
    const lines = changedLines(before, after);
    return {
      exitCode: 0,
      json: {
        release: release.id,
        released,
        dryRun: options.flag('dry-run'),
        changed: lines,
        ...(unpinned && { unpinned }),
      },
      lines: (paint) => [
        paint.title(`v${release.id} is current from ${released} on.`),
        ...lines,
        ...(unpinned
          ? [
              unpinned.length === 0
                ? 'Every account has a pin: nobody is moved.'
                : `Accounts without a pin, which meet v${release.id} if they first call from ${released} on:`,
              ...unpinned.map(({ id, name }) => `  ${id}  ${name}`),
            ]
          : ['Nobody with a pin is moved; npm run accounts -- list --unpinned names those without one.']),
      ],
    };
  },
};

/** An account that has not called yet. */
interface Unpinned {
  readonly id: string;
  readonly name: string;
}

function isDatabaseNamed(): boolean {
  return (process.env['DATABASE_ADMIN_URL'] ?? process.env['DATABASE_URL'] ?? '') !== '';
}

/** Asks the tool that looks after accounts: this one has no database. @throws {Refused} */
function unpinnedAccounts(root: string): readonly Unpinned[] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'gateway/accounts-main.ts'), 'list', '--unpinned'],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (status !== 0) throw new Refused(`promote: the accounts could not be listed: ${stderr.trim().split('\n').at(-1)}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Unpinned);
}
