/*
 * npm run perennial -- <command> [arguments]
 *
 * One place from which the tools for people who look after the service are started. A command is a line in the table:
 * a module whose `run` takes the arguments after the command and answers the exit code: 0 done, 1 it could not be done
 * or found something, 2 not understood.
 */

interface Command {
  readonly summary: string;
  readonly load: () => Promise<{ run(args: readonly string[]): Promise<number> }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  knowledge: {
    summary: 'review of the knowledge base, and what a change of it changes',
    load: () => import('../core/knowledge/review/commands.ts'),
  },
};

const [name = '--help', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command) process.exitCode = await (await command.load()).run(args);
else {
  const isAsked = name === '--help' || name === '-h' || name === 'help';
  const lines = Object.entries(COMMANDS).map(([each, { summary }]) => `  ${each.padEnd(12)}${summary}`);
  const usage = `usage: npm run perennial -- <command> [arguments]; --help after a command tells more\n\n${lines.join('\n')}\n`;
  (isAsked ? process.stdout : process.stderr).write(usage);
  process.exitCode = isAsked ? 0 : 2;
}
