import { changelogMarkdown, changelogOf } from '../../contract/changelog.ts';
import type { Verb } from '../verb.ts';

/** Prints the changelog. */
export const changelog: Verb = {
  name: 'changelog',
  usage: '[<date>]',
  summary: 'What clients read of every release, or of one, as Markdown; with --json as JSON.',
  help: [],
  options: {},
  async run({ args, project }) {
    const opened = await project();
    const releases = args[0] === undefined ? opened.history.releases : [opened.release(args[0], 'changelog <date>')];
    const entries = changelogOf(opened.translator().catalogue, releases, opened.additions);
    return { exitCode: 0, json: { releases: entries }, lines: () => [changelogMarkdown(entries).trimEnd()] };
  },
};
