import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { guideMarkdown, guides } from '../../contract/guide.ts';
import { byAccount } from '../../contract/use.ts';
import { recordedUse, USE_HELP, USE_OPTIONS } from '../use.ts';
import { Refused, type Verb } from '../verb.ts';

/** Writes each account's own guide. */
export const migrateGuide: Verb = {
  name: 'migrate-guide',
  usage: '[--account <id>] [--to <date>] [--use <file>] [--days <n>]',
  summary: 'The guide to the next version for each account, from what it calls, as Markdown; with --json as JSON.',
  help: ['--account only this one', '--to      the newest version unless told', ...USE_HELP],
  options: { account: { type: 'string' }, to: { type: 'string' }, ...USE_OPTIONS },
  async run({ root, options, project }) {
    const opened = await project();
    const to = opened.release(options.text('to') ?? newestFirst(opened.history)[0]?.id, '--to');
    const wanted = options.text('account');
    const guide = guides(opened.translator(), opened.history.releases, to);
    const accounts = [...byAccount(recordedUse(root, options))].filter(
      ([account]) => wanted === undefined || account === wanted,
    );
    if (wanted !== undefined && accounts.length === 0)
      throw new Refused(`migrate-guide: ${wanted} called nothing that was recorded`);
    const written = accounts.flatMap(([account, uses]) => {
      const found = guide(uses);
      return found ? [{ account, name: uses[0]?.name ?? null, ...found }] : [];
    });
    return {
      exitCode: 0,
      json: { to: to.id, guides: written },
      lines: () =>
        written.length === 0
          ? [`No account called an older version than v${to.id}.`]
          : written.map((each) => guideMarkdown(each, each.name ?? each.account)),
    };
  },
};
