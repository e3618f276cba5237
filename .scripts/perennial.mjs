#!/usr/bin/env node
/*
 * npx perennial [--config FILE] <command> [arguments]
 *
 * Every command of the repository under one name. Nothing but the command writes to stdout, so that what prints JSON can
 * be piped on; npm, which says what it runs, cannot.
 */
import { resolve } from 'node:path';
import { COMMANDS } from './commands.mjs';
import { completionFor, SHELLS } from './completion.mjs';

const USAGE = 'usage: npx perennial [--config FILE] <command> [arguments]; --help after a command tells more';

const args = process.argv.slice(2);
if (args[0] === '--config' && args.length > 1) {
  // Here and not after `cd`: the file is named from where the caller stands.
  process.env.CONFIG_FILE = resolve(args[1]);
  args.splice(0, 2);
}
const [name = '--help', ...rest] = args;
const command = COMMANDS.find((each) => each.name === name);
if (command) {
  const bootstrap = new URL('bootstrap.mjs', import.meta.url);
  process.argv = [process.argv[0], bootstrap.pathname, command.entry, ...(command.fixed ?? []), ...rest];
  await import(bootstrap.href);
} else if (name === 'completion' && SHELLS.includes(rest[0])) process.stdout.write(completionFor(rest[0]));
else {
  const isAsked = ['--help', '-h', 'help'].includes(name) || (name === 'completion' && asks(rest));
  const lines = [...COMMANDS, { name: 'completion', summary: `for a shell: ${SHELLS.join(', ')}` }].map(
    (each) => `  ${each.name.padEnd(17)}${each.summary}`,
  );
  (isAsked ? process.stdout : process.stderr).write(`${USAGE}\n\n${lines.join('\n')}\n`);
  process.exitCode = isAsked ? 0 : 2;
}

function asks(words) {
  return words.includes('--help') || words.includes('-h');
}
