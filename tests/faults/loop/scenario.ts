import type { Random } from './random.ts';
import type { System, SystemOptions } from './system.ts';

/** What was counted, by name, in the order to be shown. */
export type Counts = Readonly<Record<string, number>>;

/** What a round found: its counts, and everything that must not be, one line each. */
export interface RoundResult {
  readonly counts: Counts;
  readonly violations: readonly string[];
}

/** A scenario on a system that runs. */
export interface OpenScenario {
  /**
   * One round: work, the fault at a random moment of it, recovery, and the check. Everything that was begun has come to
   * an end when it resolves. @param random makes its choices, so that a seed repeats them as far as a machine can.
   */
  round(random: Random): Promise<RoundResult>;
  close?(): Promise<void>;
}

/**
 * A kind of fault. Each is one file in `scenarios/`, named after it, that exports one of these as `scenario`; it is found
 * by being there.
 */
export interface Scenario {
  readonly name: string;
  /** What is done, in a sentence. */
  readonly what: string;
  /** What it needs of the system. */
  readonly needs: Partial<Pick<SystemOptions, 'cores' | 'gateways' | 'env'>>;
  /** Left out of the short run, for a reason that stands beside it. */
  readonly isLong?: boolean;
  /** @param isShort for the short run of `npm test`: little work, short outages, nothing replaced. */
  open(system: System, isShort: boolean): Promise<OpenScenario>;
}
