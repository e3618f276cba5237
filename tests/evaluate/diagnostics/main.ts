import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '@perennial/core/config.ts';
import { loadKnowledge } from '@perennial/core/knowledge/load.ts';
import { startCore } from '@perennial/core/start.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { CORE_INSTANCE_HEADER, RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import { AnalysisRefused, analyzeOver } from './client.ts';
import { type Analyze, type EvaluationCase, evaluate } from './evaluate.ts';
import { crossValidate } from './folds.ts';
import { CasesInvalid, readCases } from './read-cases.ts';
import { report, reportOfFolds } from './report.ts';

/*
 * npm run evaluate -- --cases FILE                                         against a core of its own
 * npm run evaluate -- --cases FILE --url http://127.0.0.1:8080/v2 --key-env KEY   against a running gateway
 * --triage FILE gives levels by the ids of the cases: `triage-labels.json` is for the cases named in `docs/figures.md`.
 * --folds also judges what was fitted on diagnoses that it was not fitted on, in this process.
 * --json prints the whole evaluation as JSON in place of the table; --json-file FILE writes it beside the table.
 */

const USAGE =
  'usage: npm run evaluate -- --cases FILE [--url ADDRESS --key-env NAME] [--json] [--json-file FILE] [--triage FILE] [--folds]\n';

/** A fault that its message explains; no stack is printed. */
class Refusal extends Error {}

try {
  const options = readOptions();
  const cases = withTriage(read(options.cases), options.triage);
  const knowledge = loadKnowledge();
  const { conditions } = knowledge;
  const service = options.url === undefined ? await startOwnCore() : remote(options.url, options.keyEnv);
  try {
    const evaluation = await evaluate(cases, conditions, service.analyze);
    const names = new Map(conditions.map(({ id, name }) => [id, name]));
    const json = `${JSON.stringify(evaluation, null, 2)}\n`;
    process.stdout.write(options.json ? json : report(evaluation, (id) => names.get(id) ?? id));
    if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  } finally {
    await service.stop();
  }
  if (options.folds) process.stdout.write(reportOfFolds(crossValidate(cases, knowledge)));
} catch (error) {
  const isExpected = error instanceof Refusal || error instanceof AnalysisRefused || error instanceof CasesInvalid;
  process.stderr.write(`evaluate: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
}

interface Options {
  cases: string;
  url: string | undefined;
  keyEnv: string | undefined;
  json: boolean;
  jsonFile: string | undefined;
  triage: string | undefined;
  folds: boolean;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        cases: { type: 'string' },
        url: { type: 'string' },
        'key-env': { type: 'string' },
        json: { type: 'boolean', default: false },
        'json-file': { type: 'string' },
        triage: { type: 'string' },
        folds: { type: 'boolean', default: false },
      },
    });
    if (values.cases === undefined) throw new Refusal(USAGE);
    const { cases, url, json, triage, folds } = values;
    return { cases, url, keyEnv: values['key-env'], json, jsonFile: values['json-file'], triage, folds };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`${(error as Error).message}\n${USAGE}`);
  }
}

function read(path: string): EvaluationCase[] {
  try {
    return readCases(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof CasesInvalid) throw new Refusal(`${path}: ${error.message}`);
    throw new Refusal(`${path} cannot be read`);
  }
}

/** The cases with the levels of a file of labels by their ids, for cases that come without any. */
function withTriage(cases: EvaluationCase[], path: string | undefined): EvaluationCase[] {
  if (path === undefined) return cases;
  let labels: Record<string, string>;
  try {
    labels = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch {
    throw new Refusal(`${path} cannot be read`);
  }
  return cases.map((one) => {
    const triage = one.triage ?? labels[one.id];
    return triage === undefined ? one : { ...one, triage };
  });
}

interface Service {
  analyze: Analyze;
  stop(): Promise<void>;
}

/** The service at an address. The key comes from the environment, so that no list of processes shows it. */
function remote(url: string, keyEnv: string | undefined): Service {
  const key = keyEnv === undefined ? undefined : process.env[keyEnv];
  if (key === undefined || key === '') throw new Refusal('--key-env must name a variable that holds an API key');
  return { analyze: analyzeOver(url, async () => key), stop: async () => undefined };
}

/** A core on a free port. Analyses need no database, so none is started. */
async function startOwnCore(): Promise<Service> {
  const secret = randomBytes(32).toString('hex');
  const config = readConfig({
    DATABASE_URL: 'postgresql://none:none@127.0.0.1:9/none',
    INTERNAL_SECRET: secret,
    // Given, so that no file of it is made: nothing is kept.
    SECRETS_KEY: secret,
    CORE_PORT: '0',
    LOG_LEVEL: 'silent',
  });
  const core = await startCore(config);
  await core.services.warmUp();
  const signer = new RequestSigner(secret);
  const caller: Caller = { accountId: 'acc_evaluate', keyId: 'key_evaluate', scopes: ['diagnostics:write'] };
  // A request that names no core is counted in the database, which is not there.
  const health = await fetch(`${core.url}/health`);
  await health.body?.cancel();
  const instance = health.headers.get(CORE_INSTANCE_HEADER) ?? undefined;
  const token = async (): Promise<string> => signer.sign(caller, 'POST', '/diagnostics/analyze', instance);
  return { analyze: analyzeOver(core.url, token), stop: () => core.stop() };
}
