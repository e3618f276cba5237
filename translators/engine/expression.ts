import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import type { Path } from './path.ts';

/**
 * What a member of the translated body is made of. Composing changes means rewriting these; only when all changes
 * between two versions are composed is anything compiled, so ten renames in a row are one property access.
 */
export type Expression =
  | { readonly op: 'get'; readonly path: Path }
  | { readonly op: 'absent' }
  /** Output number `output` of a converter. Calls with the same `call` are one call. */
  | { readonly op: 'output'; readonly call: Call; readonly output: number }
  | { readonly op: 'member'; readonly of: Expression; readonly name: string }
  | {
      readonly op: 'object';
      /** Where the object came from: when that is null or absent, so is this. */
      readonly origin: Expression | undefined;
      readonly members: readonly (readonly [string, Expression])[];
    };

/** One application of a converter. Compared by identity. */
export interface Call {
  readonly convert: Converter;
  readonly inputs: readonly Expression[];
  /** Upward only: what the newer fields hold now, as expressions over the stored head body. */
  readonly priors: readonly Expression[];
  /** `release/change` for the log and the error code. */
  readonly change: string;
  /** Upward only: the converter cannot do without `priors`. */
  readonly needsPrior: boolean;
  /** Key under which the change keeps what it remembered from the request. */
  readonly contextKey: string;
  /** Downward only: whether there is a way up, how many older members it starts from, and what it leads to. */
  readonly inverse?: { readonly exists: boolean; readonly starts: number; readonly leadsTo: readonly JsonSchema[] };
  /** For a converter that only lets values through or refuses them: the schema of those that it lets through. */
  readonly narrows?: (schema: JsonSchema) => JsonSchema;
}

/**
 * Converts input values to output values. `priors` holds the stored values of the outputs on the way up when the
 * plan has read them, and is undefined otherwise. Pure: no clock, no randomness, no mutation of what it is given.
 */
export type Converter = (
  inputs: readonly unknown[],
  priors: readonly unknown[] | undefined,
  context: unknown,
) => readonly unknown[];

/** Whether the expression is a member of the source as it is, or nothing. */
export function isSame(expression: Expression): boolean {
  if (expression.op === 'get') return true;
  if (expression.op !== 'output' || !expression.call.narrows) return false;
  return expression.call.inputs.every(isSame);
}

/** Every path of the source that the expression reads. */
export function inputsOf(expression: Expression): readonly Path[] {
  switch (expression.op) {
    case 'get':
      return [expression.path];
    case 'absent':
      return [];
    case 'output':
      return expression.call.inputs.flatMap(inputsOf);
    case 'member':
      return inputsOf(expression.of);
    case 'object':
      return expression.members.flatMap(([, member]) => inputsOf(member));
  }
}

/** Every change whose converter the expression runs. */
export function changesIn(expression: Expression): readonly string[] {
  switch (expression.op) {
    case 'output':
      return [expression.call.change, ...expression.call.inputs.flatMap(changesIn)];
    case 'member':
      return changesIn(expression.of);
    case 'object':
      return expression.members.flatMap(([, member]) => changesIn(member));
    default:
      return [];
  }
}
