import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from './random.ts';
import type { RoundResult, Scenario } from './scenario.ts';
import { System } from './system.ts';

/** What is to be run. */
export interface LoopOptions {
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
  readonly seed: number;
  /** For `npm test`: little work, short outages. */
  readonly isShort: boolean;
  /** Told of every round. */
  readonly report: (scenario: Scenario, round: number, result: RoundResult) => void;
}

/** Every scenario there is, by name: one for each file of the folder. */
export async function findScenarios(): Promise<readonly Scenario[]> {
  const folder = join(import.meta.dirname, 'scenarios');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  return Promise.all(
    names.map(async (name) => ((await import(join(folder, name))) as { readonly scenario: Scenario }).scenario),
  );
}

/** Runs the rounds of every scenario, on a system that is started once. @returns all violations. */
export async function runLoop({ scenarios, rounds, seed, isShort, report }: LoopOptions): Promise<readonly string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'perennial-faults-'));
  const needs = scenarios.map((each) => each.needs);
  const violations: string[] = [];
  let system: System | undefined;
  try {
    system = await System.start({
      dataDir,
      cores: Math.max(1, ...needs.map(({ cores }) => cores ?? 1)),
      gateways: Math.max(1, ...needs.map(({ gateways }) => gateways ?? 1)),
      env: Object.assign({}, ...needs.map(({ env }) => env)) as Readonly<Record<string, string>>,
    });
    const random = new Random(seed);
    for (const scenario of scenarios) {
      const open = await scenario.open(system, isShort);
      for (let round = 1; round <= rounds; round += 1) {
        const result = await open.round(random);
        report(scenario, round, result);
        violations.push(...result.violations.map((each) => `${scenario.name}, round ${round}: ${each}`));
      }
      await open.close?.();
    }
  } finally {
    await system?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
  return violations;
}
