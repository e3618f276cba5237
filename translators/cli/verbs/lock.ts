import { relative } from 'node:path';
import { isBreaking, OPERATION_ADDED } from '../../contract/differences.ts';
import { isRecorded, readLedger } from '../../contract/ledger.ts';
import { type LockState, lockStateOf, writeLock } from '../../contract/released.ts';
import { refuseBrokenLedger } from '../ledger.ts';
import { Refused, UsageFault, type Verb } from '../verb.ts';

/** Records the derived contracts. */
export const lock: Verb = {
  name: 'lock',
  usage: '[<date>] [--add <operation>]… [--force --reason <text>]',
  summary: 'Writes the derived contract of every release, or of one, as the locked one.',
  help: [
    'What a released version gained is recorded. What would break its clients is refused.',
    '--add      an operation that released versions are to have as well; without it, one needs `since: <date>`',
    '--force    lock a breaking difference all the same; waivers.json keeps it with the --reason',
  ],
  options: { add: { type: 'string', multiple: true }, force: { type: 'boolean' }, reason: { type: 'string' } },
  async run({ args, options, project }) {
    const reason = options.text('reason')?.trim();
    if (options.flag('force') && !reason) throw new UsageFault('lock: --force needs a --reason that can be read later');
    const opened = await project();
    const releases = args[0] === undefined ? opened.history.releases : [opened.release(args[0], 'lock <date>')];
    const translator = opened.translator();
    const edited = options.flag('force') ? ['its sentence was edited'] : [];
    const states = releases.map((release) => lockStateOf(translator, release, opened.root));
    refuseBrokenLedger('lock', opened, edited);
    const spread = operationsAdded(states).filter((operation) => !options.list('add').includes(operation));
    if (spread.length > 0)
      throw new Refused(
        `lock: released versions would have ${spread.join(', ')}: give ${spread.length === 1 ? 'the operation' : 'each'} ` +
          `\`since: '${opened.history.releases[0]?.id}'\` in schemas/operations, or lock with ` +
          spread.map((operation) => `--add ${operation}`).join(' '),
      );
    const broken = states.filter(
      ({ release, differences }) => release.released !== undefined && isBreaking(differences),
    );
    if (broken.length > 0 && !options.flag('force')) {
      const list = broken.flatMap(({ release, differences }) =>
        breaking(differences).map((each) => `v${release.id} ${each}`),
      );
      throw new Refused(
        `lock: ${list.length} breaking difference${list.length === 1 ? '' : 's'} in released versions: ${list.join('; ')}. ` +
          'Describe them as changes of a new release, or use --force --reason "…"',
      );
    }
    const written: { readonly state: LockState; readonly files: readonly string[] }[] = [];
    for (const state of states) {
      const isSaid = isRecorded(readLedger(opened.root), state.release.id, translator.catalogue);
      if (state.state === 'locked' && isSaid) continue;
      const waived =
        (broken.includes(state) || !isSaid) && reason
          ? { reason, differences: breaking(state.differences) }
          : undefined;
      const files = writeLock(state, translator.catalogue, opened.root, waived);
      written.push({ state, files: files.map((file) => relative(opened.root, file)) });
    }
    return {
      exitCode: 0,
      json: {
        locked: written.map(({ state, files }) => ({
          release: state.release.id,
          files,
          differences: state.differences,
        })),
      },
      lines: (paint) =>
        written.length === 0
          ? [`${paint.good('✓')} every contract is locked as it is`]
          : written.flatMap(({ state, files }) => [
              paint.title(`v${state.release.id}`),
              ...state.differences
                .filter(({ severity }) => severity !== 'wording')
                .map(
                  ({ severity, place, direction, text }) =>
                    `  ${paint.severity(severity)} ${place} (${direction}) ${text}`,
                ),
              ...wordings(state.differences).map((text) => `  ${paint.faint(text)}`),
              ...files.map((file) => `  ${file}`),
            ]),
    };
  },
};

/** Operations that a released version would gain. */
function operationsAdded(states: readonly LockState[]): readonly string[] {
  const added = states
    .filter(({ release }) => release.released !== undefined)
    .flatMap(({ differences }) => differences.filter(({ text }) => text === OPERATION_ADDED));
  return [...new Set(added.map(({ place }) => place))];
}

/** What is only said differently, in one line. */
export function wordings(differences: LockState['differences']): readonly string[] {
  const count = differences.filter(({ severity }) => severity === 'wording').length;
  return count === 0
    ? []
    : [`${count} description${count === 1 ? '' : 's'} or example${count === 1 ? '' : 's'} said differently`];
}

function breaking(differences: LockState['differences']): readonly string[] {
  return differences
    .filter(({ severity }) => severity === 'breaking')
    .map(({ place, direction, text }) => `${place} (${direction}) ${text}`);
}
