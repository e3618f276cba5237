import { readFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigFileUnusable, environmentWith } from './config-file.ts';
import { readTelemetry, type TelemetrySettings } from './telemetry/settings.ts';
import { type Variables, variables } from './variables.ts';

/** What a process is told by its environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Name = keyof Variables & string;
type ValueOf<N extends Name> = Variables[N] extends { readonly default: unknown }
  ? Static<Variables[N]>
  : Static<Variables[N]> | undefined;

/** The environment is not usable: every mistake in it, a sentence each. None of them repeats a value. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  readonly mistakes: readonly string[];
  constructor(mistakes: Iterable<string>, options?: ErrorOptions) {
    const each = [...new Set(mistakes)];
    super(`the configuration is refused:\n${each.map((mistake) => `  - ${mistake}`).join('\n')}`, options);
    this.mistakes = each;
  }
}

/**
 * Reads declared variables (`variables.ts`) and collects what is wrong with them, so that a process can name every
 * mistake at once before it starts anything. An empty variable counts as absent. What CONFIG_FILE names is read as well.
 */
export class Settings {
  readonly #environment: Environment;
  readonly #mistakes: string[] = [];

  constructor(environment: Environment) {
    this.#environment = this.#withFile(environment);
  }

  #withFile(environment: Environment): Environment {
    try {
      return environmentWith(environment);
    } catch (error) {
      if (!(error instanceof ConfigFileUnusable)) throw error;
      for (const mistake of error.mistakes) this.mistake(mistake);
      return environment;
    }
  }

  /** The variable's value, or its default where it is absent; after a mistake something of the right type. */
  get<N extends Name>(name: N): ValueOf<N> {
    const schema: TSchema = variables[name];
    const given = this.#textOf(name, schema);
    if (given === undefined) return defaultOf(schema) as ValueOf<N>;
    const value = fromText(given, schema);
    if (value !== undefined && Value.Check(schema, value)) return value as ValueOf<N>;
    this.mistake(`${name} must be ${describeAllowed(schema)}`);
    return (defaultOf(schema) ?? given) as ValueOf<N>;
  }

  /** The value of a variable that this process cannot do without. */
  require<N extends Name>(name: N): NonNullable<ValueOf<N>> {
    const schema: TSchema = variables[name];
    const value = this.get(name);
    if (value === undefined) this.mistake(`${name} must be set: ${describeAllowed(schema)}`);
    return (value ?? '') as NonNullable<ValueOf<N>>;
  }

  /** What the standard variables of OpenTelemetry ask for; undefined where they ask for nothing. */
  telemetry(): TelemetrySettings | undefined {
    return readTelemetry(this.#environment, (sentence) => this.mistake(sentence));
  }

  /** Adds what is wrong with several variables together. @param sentence begins with a variable's name. */
  mistake(sentence: string): void {
    this.#mistakes.push(sentence);
  }

  /** @throws {ConfigInvalid} when there were mistakes. */
  check(): void {
    if (this.#mistakes.length > 0) throw new ConfigInvalid(this.#mistakes);
  }

  /** White space around a value is a slip, but part of a secret. */
  #textOf(name: Name, schema: TSchema): string | undefined {
    const given = this.#environment[name] ?? '';
    return ('isSecret' in schema ? given : given.trim()) || undefined;
  }
}

/**
 * Runs the readers of several processes.
 * @throws {ConfigInvalid} naming the mistakes of all of them.
 */
export function readTogether(...readers: readonly (() => unknown)[]): void {
  const mistakes = readers.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      if (error instanceof ConfigInvalid) return error.mistakes;
      throw error;
    }
  });
  if (mistakes.length > 0) throw new ConfigInvalid(mistakes);
}

/** The bytes of the file that a variable names; undefined where it names none, or one that cannot be read. */
export function readNamedFile(settings: Settings, name: NamesOfFiles): Buffer | undefined {
  const path = settings.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch {
    settings.mistake(`${name} must name a file that can be read`);
    return undefined;
  }
}

type NamesOfFiles = Extract<Name, `CORE_${string}_FILE` | `TLS_${string}_FILE`>;

/** What a value must be, to stand after "must be". */
export function describeAllowed(schema: TSchema): string {
  const { type, minimum, maximum, minLength } = schema as Facets;
  const refinements = (schema as { readonly '~refine'?: readonly { readonly error: () => string }[] })['~refine'];
  if (refinements?.[0]) return refinements[0].error();
  if ('enum' in schema) return `one of ${(schema.enum as readonly string[]).join(', ')}`;
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  if (type === 'number') return `a number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'true or false';
  return minLength === undefined ? 'text' : `at least ${minLength} characters`;
}

interface Facets {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
}

function defaultOf(schema: TSchema): unknown {
  return 'default' in schema ? schema.default : undefined;
}

/** The text as the schema's type; undefined where it is none. Numbers are written in decimal digits only. */
function fromText(text: string, schema: TSchema): unknown {
  switch ((schema as Facets).type) {
    case 'integer':
      return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    case 'number':
      return /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return text;
  }
}
