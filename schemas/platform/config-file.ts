import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { variables } from './variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What is wrong with the file of CONFIG_FILE, a sentence each. None of them repeats a value. */
export class ConfigFileUnusable extends Error {
  override readonly name = 'ConfigFileUnusable';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[], options?: ErrorOptions) {
    super(mistakes.join('; '), options);
    this.mistakes = mistakes;
  }
}

/** Variables that are others' by name, and may stand in the file as well. */
const STANDARD = /^(OTEL_[A-Z_]+|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|PG[A-Z]+)$/;
/** More than any configuration needs; less than what a wrong path might lead to. */
const CHARACTERS_MAX = 1_048_576;

/**
 * The environment with what CONFIG_FILE says where it says nothing itself, and without CONFIG_FILE: whoever hands it on
 * decides what is in it. The file has the form that systemd, compose and `node --env-file` read.
 * @throws {ConfigFileUnusable} when it cannot be read, or names what is no variable of ours: a slip of the pen would
 *   otherwise leave a default in force.
 */
export function environmentWith(environment: Environment): Environment {
  const path = environment['CONFIG_FILE']?.trim();
  if (!path) return environment;
  const mistakes: string[] = [];
  const merged: Record<string, string | undefined> = { ...environment };
  delete merged['CONFIG_FILE'];
  for (const [name, value] of Object.entries(readLines(path))) {
    if (name === 'CONFIG_FILE') mistakes.push('CONFIG_FILE must not stand in the file that it names');
    else if (!Object.hasOwn(variables, name) && !STANDARD.test(name))
      mistakes.push(`CONFIG_FILE names the variable ${name.slice(0, 100)}, which there is none of`);
    // An empty variable counts as absent.
    else if (!merged[name]) merged[name] = value;
  }
  if (mistakes.length > 0) throw new ConfigFileUnusable(mistakes);
  return merged;
}

function readLines(path: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigFileUnusable(['CONFIG_FILE must name a file that can be read'], { cause: error });
  }
  if (text.length > CHARACTERS_MAX) throw new ConfigFileUnusable(['CONFIG_FILE must name a file of 1 MiB at most']);
  return parseEnv(text) as Record<string, string>;
}
