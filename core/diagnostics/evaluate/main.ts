import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { signInternalToken } from '@perennial/schemas/internal-token.ts';
import { readConfig } from '../../config.ts';
import { loadKnowledge } from '../../knowledge/load.ts';
import { startCore } from '../../start.ts';
import { AnalysisRefused, analyzeOver } from './client.ts';
import { type Analyze, type EvaluationCase, evaluate } from './evaluate.ts';
import { CasesInvalid, readCases } from './read-cases.ts';
import { report } from './report.ts';

/*
 * npm run evaluate -- --cases FILE                                         against a core of its own
 * npm run evaluate -- --cases FILE --url http://127.0.0.1:8080/v2 --key-env KEY   against a running gateway
 * --json prints the whole evaluation as JSON in place of the table; --json-file FILE writes it beside the table.
 */

const USAGE = 'usage: npm run evaluate -- --cases FILE [--url ADDRESS --key-env NAME] [--json] [--json-file FILE]\n';

/** A fault that its message explains; no stack is printed. */
class Refusal extends Error {}

try {
  const options = readOptions();
  const cases = read(options.cases);
  const { conditions } = loadKnowledge();
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
      },
    });
    if (values.cases === undefined) throw new Refusal(USAGE);
    const { cases, url, json } = values;
    return { cases, url, keyEnv: values['key-env'], json, jsonFile: values['json-file'] };
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
    CORE_PORT: '0',
    LOG_LEVEL: 'silent',
  });
  const core = await startCore(config);
  core.services.warmUp();
  const token = (): Promise<string> =>
    signInternalToken(secret, { accountId: 'acc_evaluate', keyId: 'key_evaluate', scopes: ['diagnostics:write'] });
  return { analyze: analyzeOver(core.url, token), stop: () => core.stop() };
}
