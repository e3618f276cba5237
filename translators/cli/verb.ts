import type { ParseArgsOptionsConfig } from 'node:util';
import type { Paint } from './paint.ts';
import type { Project } from './project.ts';

/** What a verb is asked to do. */
export interface Request {
  /** The repository, opened when the verb first needs it. */
  readonly project: () => Promise<Project>;
  readonly root: string;
  /** Arguments that are no options. */
  readonly args: readonly string[];
  readonly options: Options;
}

/** Options as given. */
export interface Options {
  text(name: string): string | undefined;
  flag(name: string): boolean;
  list(name: string): readonly string[];
}

/** What a verb found or did. */
export interface Outcome {
  /** 0: fine. 1: there are findings, or the request was refused. */
  readonly exitCode: 0 | 1;
  /** What `--json` prints. */
  readonly json: unknown;
  /** What is printed otherwise. */
  readonly lines: (paint: Paint) => readonly string[];
}

/** One verb of the tool. */
export interface Verb {
  readonly name: string;
  /** Arguments and options, after the name. */
  readonly usage: string;
  readonly summary: string;
  /** Lines of help below the usage. */
  readonly help: readonly string[];
  readonly options: ParseArgsOptionsConfig;
  readonly run: (request: Request) => Promise<Outcome>;
}

/** The tool was called wrongly, or given something it cannot read. One line, exit code 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault';
}

/** What was asked for is refused. One line, exit code 1. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
