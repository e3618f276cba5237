import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExampleMissing } from '../contract/examples.ts';
import { LockUnreadable } from '../contract/released.ts';
import { paintFor } from './paint.ts';
import { fromCaller, openProject, type Project } from './project.ts';
import { type Options, Refused, UsageFault, type Verb } from './verb.ts';
import { changelog } from './verbs/changelog.ts';
import { check } from './verbs/check.ts';
import { compare } from './verbs/compare.ts';
import { deprecate } from './verbs/deprecate.ts';
import { diff } from './verbs/diff.ts';
import { impact } from './verbs/impact.ts';
import { lock } from './verbs/lock.ts';
import { migrateGuide } from './verbs/migrate-guide.ts';
import { createRelease } from './verbs/new.ts';
import { promote } from './verbs/promote.ts';
import { prove } from './verbs/prove.ts';
import { simulate } from './verbs/simulate.ts';
import { types } from './verbs/types.ts';

/*
 * npm run release -- <verb>: the platform team's path from an idea to a released version. Exit codes: 0 fine,
 * 1 findings or refused, 2 called wrongly or given something that cannot be read.
 */

const verbs: readonly Verb[] = [
  createRelease,
  check,
  diff,
  simulate,
  compare,
  impact,
  migrateGuide,
  changelog,
  types,
  lock,
  prove,
  promote,
  deprecate,
];

/** What is told by its message alone: whoever called can mend it. */
const expected = [UsageFault, Refused, LockUnreadable, ExampleMissing];

const common = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  root: { type: 'string' },
} as const;

/** Where the tool writes, and whether it may colour what it writes. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Runs the tool with the arguments after its name. Returns the exit code. */
export async function runTool(argv: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  const isJson = argv.includes('--json');
  const print = (lines: readonly string[]): void => {
    terminal.stdout.write(`${lines.join('\n')}\n`);
  };
  try {
    const [name, ...rest] = argv;
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
      const verb = verbs.find((each) => each.name === rest[0]);
      print(verb ? helpOf(verb) : overview());
      return name === undefined ? 2 : 0;
    }
    const verb = verbs.find((each) => each.name === name);
    if (!verb)
      throw new UsageFault(`there is no verb "${name}"; there are ${verbs.map((each) => each.name).join(', ')}`);
    const { values, positionals } = parsed(verb, rest);
    if (values['help'] === true) {
      print(helpOf(verb));
      return 0;
    }
    const root = typeof values['root'] === 'string' ? fromCaller(values['root']) : repository();
    let project: Promise<Project> | undefined;
    const outcome = await verb.run({
      root,
      project: () => {
        project ??= openProject(root);
        return project;
      },
      args: positionals,
      options: optionsOf(values),
    });
    print(isJson ? [JSON.stringify(outcome.json, null, 2)] : outcome.lines(paintFor(terminal.stdout)));
    return outcome.exitCode;
  } catch (error) {
    const isExpected = expected.some((each) => error instanceof each);
    const message = isExpected ? (error as Error).message : ((error as Error).stack ?? String(error));
    if (isJson) print([JSON.stringify({ error: message })]);
    else terminal.stderr.write(`${paintFor(terminal.stderr).bad('release:')} ${message}\n`);
    return error instanceof Refused ? 1 : 2;
  }
}

function parsed(verb: Verb, rest: readonly string[]): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({
      args: [...rest],
      options: { ...verb.options, ...common },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageFault(
      `${verb.name}: ${(error as Error).message.split('. To specify')[0]}; see release help ${verb.name}`,
    );
  }
}

function optionsOf(values: ReturnType<typeof parseArgs>['values']): Options {
  return {
    text(name) {
      const value = values[name];
      return typeof value === 'string' ? value : undefined;
    },
    flag: (name) => values[name] === true,
    list(name) {
      const value = values[name];
      return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    },
  };
}

function overview(): readonly string[] {
  const width = Math.max(...verbs.map(({ name }) => name.length)) + 2;
  return [
    'usage: npm run release -- <verb> …',
    '',
    ...verbs.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    'Every verb takes --json, --root <folder> and --help. Exit codes: 0 fine, 1 findings or refused, 2 called wrongly.',
    'How a release is made: translators/README.md.',
  ];
}

function helpOf({ name, usage, summary, help }: Verb): readonly string[] {
  return [
    `usage: npm run release -- ${name} ${usage}`.trimEnd(),
    '',
    summary,
    ...(help.length > 0 ? ['', ...help] : []),
  ];
}

/** The repository that this file is in. */
function repository(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}
