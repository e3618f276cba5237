import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateOf, writeProof } from '../proofs.ts';
import { Refused, type Verb } from '../verb.ts';
import { findingsOf } from './check.ts';

/** Test files that judge a release, below `tests`, and the tests in them that speak of it. */
const suites = (release: string): readonly { readonly paths: readonly string[]; readonly named?: string }[] => [
  { paths: ['translators/releases', 'translators/contract/lock.test.ts', 'translators/faults/every-change.test.ts'] },
  { paths: ['golden'], named: `golden exchanges|v${release}` },
];

/** Runs what must hold before a release is promoted. */
export const prove: Verb = {
  name: 'prove',
  usage: '<date>',
  summary: 'Runs the checks of a release: round trips, examples, locks, golden exchanges. `promote` asks for them.',
  help: ['What was proven is remembered for exactly this state of schemas, translators, gateway, core and recordings.'],
  options: {},
  async run({ root, args, project }) {
    const opened = await project();
    const release = opened.release(args[0], 'prove <date>');
    const findings = findingsOf(opened);
    if (findings.length > 0)
      throw new Refused(
        `prove: ${findings.length} finding${findings.length === 1 ? '' : 's'}; npm run release -- check lists them`,
      );
    const state = stateOf(root);
    const startedAt = performance.now();
    const checks: string[] = [];
    const failed: string[] = [];
    for (const suite of suites(release.id)) {
      const outcome = await run(root, release.id, suite);
      checks.push(...outcome.passed);
      failed.push(...outcome.failed);
    }
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    if (failed.length === 0) writeProof(root, { release: release.id, state, checks, seconds });
    return {
      exitCode: failed.length === 0 ? 0 : 1,
      json: { release: release.id, state, passed: checks.length, failed, seconds },
      lines: (paint) => [
        ...failed.map((name) => `${paint.bad('✗')} ${name}`),
        failed.length === 0
          ? `${paint.good('✓')} ${checks.length} checks of v${release.id} in ${seconds} s`
          : `${failed.length} of ${checks.length + failed.length} failed`,
      ],
    };
  },
};

interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
}

async function run(
  root: string,
  release: string,
  { paths, named }: { readonly paths: readonly string[]; readonly named?: string },
): Promise<Outcome> {
  const script = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  if (!existsSync(script)) throw new Refused('prove: jest is not installed in this repository');
  const folder = mkdtempSync(join(tmpdir(), 'perennial-prove-'));
  const outputFile = join(folder, 'result.json');
  const args = ['--disable-warning=ExperimentalWarning', script, '--silent'];
  const tests = paths.map((path) => `tests/${path}`);
  try {
    const { stderr } = spawnSync(
      process.execPath,
      [...args, '--json', `--outputFile=${outputFile}`, ...(named === undefined ? [] : ['-t', named]), ...tests],
      { cwd: root, env: { ...process.env, PROVEN_RELEASE: release }, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
    );
    if (!existsSync(outputFile)) throw new Refused(`prove: the tests did not run: ${stderr.trim().split('\n').at(-1)}`);
    return outcomeOf(readFileSync(outputFile, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcomeOf(text: string): Outcome {
  const { testResults } = JSON.parse(text) as {
    testResults: readonly {
      name: string;
      status: string;
      assertionResults: readonly { status: string; fullName: string }[];
    }[];
  };
  const passed: string[] = [];
  const failed: string[] = [];
  for (const { name, status, assertionResults } of testResults) {
    for (const each of assertionResults)
      if (each.status === 'passed') passed.push(each.fullName);
      else if (each.status === 'failed') failed.push(each.fullName);
    if (status === 'failed' && !assertionResults.some((each) => each.status === 'failed'))
      failed.push(`${name} does not load`);
  }
  return { passed, failed: passed.length + failed.length === 0 ? ['no check was found'] : failed };
}
