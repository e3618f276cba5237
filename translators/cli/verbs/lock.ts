import { relative } from 'node:path';
import { isBreaking } from '../../contract/differences.ts';
import { type LockState, lockStateOf, writeLock } from '../../contract/released.ts';
import { Refused, UsageFault, type Verb } from '../verb.ts';

/** Records the derived contracts. */
export const lock: Verb = {
  name: 'lock',
  usage: '[<date>] [--force --reason <text>]',
  summary: 'Writes the derived contract of every release, or of one, as the locked one.',
  help: [
    'What a released version gained is recorded. What would break its clients is refused.',
    '--force    lock a breaking difference all the same; waivers.json keeps it with the --reason',
  ],
  options: { force: { type: 'boolean' }, reason: { type: 'string' } },
  async run({ args, options, project }) {
    const reason = options.text('reason')?.trim();
    if (options.flag('force') && !reason) throw new UsageFault('lock: --force needs a --reason that can be read later');
    const opened = await project();
    const releases = args[0] === undefined ? opened.history.releases : [opened.release(args[0], 'lock <date>')];
    const translator = opened.translator();
    const states = releases.map((release) => lockStateOf(translator, release, opened.root));
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
      if (state.state === 'locked') continue;
      const waived =
        broken.includes(state) && reason ? { reason, differences: breaking(state.differences) } : undefined;
      const files = await writeLock(state, opened.root, waived);
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
              ...state.differences.map(
                ({ severity, place, direction, text }) =>
                  `  ${paint.severity(severity)} ${place} (${direction}) ${text}`,
              ),
              ...files.map((file) => `  ${file}`),
            ]),
    };
  },
};

function breaking(differences: LockState['differences']): readonly string[] {
  return differences
    .filter(({ severity }) => severity === 'breaking')
    .map(({ place, direction, text }) => `${place} (${direction}) ${text}`);
}
