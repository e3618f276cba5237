import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '@perennial/core/config.ts';
import { startCore } from '@perennial/core/start.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { InteractionCheck } from '@perennial/schemas/resources/medication.ts';
import { formatEvaluation, isUnderstood, type JudgedAnswer, readReference, scoreAnswers } from './evaluate.ts';

/*
 * npm run evaluate -- --interactions FILE                                         against a core of its own
 * npm run evaluate -- --interactions FILE --url http://127.0.0.1:8080/v2 --key-env KEY   against a running gateway
 * --json prints the whole evaluation as JSON in place of the table; --json-file FILE writes it beside the table.
 */

const USAGE =
  'usage: npm run evaluate -- --interactions FILE [--url ADDRESS --key-env NAME] [--json] [--json-file FILE]';
const TRIES_MAX = 5;
const WAIT_S_MAX = 60;

/** A fault that its message explains; no stack is printed. */
class Refusal extends Error {}

interface Service {
  readonly url: string;
  /** The bearer token of the next request. */
  credential(): Promise<string>;
  stop(): Promise<void>;
}

try {
  const options = readOptions();
  const reference = readList(options.interactions);
  const service = options.url === undefined ? await startOwnCore() : remote(options.url, options.keyEnv);
  try {
    const answers: (JudgedAnswer | undefined)[] = [];
    for (const pair of reference) answers.push(isUnderstood(pair) ? await judge(service, [pair.a, pair.b]) : undefined);
    const evaluation = scoreAnswers(reference, answers);
    const json = `${JSON.stringify(evaluation, null, 2)}\n`;
    process.stdout.write(options.json ? json : `${formatEvaluation(evaluation)}\n`);
    if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, json);
  } finally {
    await service.stop();
  }
} catch (error) {
  const told = error instanceof Refusal ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`evaluate: ${told}\n`);
  process.exitCode = 1;
}

interface Options {
  readonly interactions: string;
  readonly url: string | undefined;
  readonly keyEnv: string | undefined;
  readonly json: boolean;
  readonly jsonFile: string | undefined;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        interactions: { type: 'string' },
        url: { type: 'string' },
        'key-env': { type: 'string' },
        json: { type: 'boolean', default: false },
        'json-file': { type: 'string' },
      },
    });
    if (values.interactions === undefined) throw new Error('--interactions names the file');
    const { interactions, url, json } = values;
    return { interactions, url, keyEnv: values['key-env'], json, jsonFile: values['json-file'] };
  } catch (error) {
    throw new Refusal(`${(error as Error).message}\n${USAGE}`);
  }
}

function readList(path: string): ReturnType<typeof readReference> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Refusal(`${path} cannot be read`);
  }
  try {
    return readReference(text);
  } catch (error) {
    throw new Refusal(`${path}: ${(error as Error).message}`);
  }
}

/** The service at an address. The key comes from the environment, so that no list of processes shows it. */
function remote(url: string, keyEnv: string | undefined): Service {
  const key = keyEnv === undefined ? undefined : process.env[keyEnv];
  if (key === undefined || key === '') throw new Refusal('--key-env must name a variable that holds an API key');
  return { url, credential: async () => key, stop: async () => undefined };
}

/** A core on a free port. A check that names no patient needs no database, so none is started. */
async function startOwnCore(): Promise<Service> {
  const secret = randomBytes(32).toString('hex');
  const core = await startCore(
    readConfig({
      DATABASE_URL: 'postgresql://none:none@127.0.0.1:9/none',
      INTERNAL_SECRET: secret,
      // Given, so that no file of it is made: nothing is kept.
      SECRETS_KEY: secret,
      CORE_PORT: '0',
      LOG_LEVEL: 'silent',
    }),
  );
  await core.services.warmUp();
  const signer = new RequestSigner(secret);
  const caller: Caller = { accountId: 'acc_evaluate', keyId: 'key_evaluate', scopes: ['diagnostics:write'] };
  return {
    url: core.url,
    credential: async () => signer.sign(caller, 'POST', '/medications/interactions', undefined),
    stop: () => core.stop(),
  };
}

/** Asks the service about two medications. The answer has the same shape in every version. */
async function judge(service: Service, names: readonly string[]): Promise<JudgedAnswer> {
  const url = `${service.url.replace(/\/+$/, '')}/medications/interactions`;
  const body = JSON.stringify({
    medications: names.map((name) => ({ name })),
    options: { includeFoodAndAlcohol: false },
  });
  for (let tries = 1; ; tries += 1) {
    const headers = { authorization: `Bearer ${await service.credential()}`, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => {
      throw new Refusal(`${url} cannot be reached`);
    });
    if (response.status === 429 && tries < TRIES_MAX) {
      const waitS = Number(response.headers.get('retry-after') ?? '1');
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, Math.min(WAIT_S_MAX, Math.max(1, waitS)) * 1000));
      continue;
    }
    const answer = (await response.json().catch(() => ({}))) as { data?: InteractionCheck; error?: unknown };
    if (response.status !== 200 || !answer.data)
      throw new Refusal(`${url} answered ${response.status}: ${JSON.stringify(answer.error ?? 'no JSON')}`);
    const { pairs, summary, unresolved, knowledge_version, model_version } = answer.data;
    return {
      severity: pairs[0]?.severity ?? 'unknown',
      rules: pairs[0]?.rule_ids ?? [],
      unresolved: unresolved.map(({ text, suggestions }) => ({
        text,
        suggestions: suggestions.map(({ name }) => name),
      })),
      partial: !summary.complete,
      knowledgeVersion: knowledge_version,
      modelVersion: model_version,
    };
  }
}
