import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { history } from '@perennial/schemas/history.ts';
import type { OpenApiDocument } from '@perennial/translators/contract/document.ts';
import { lockedReleases } from '@perennial/translators/contract/sdk/commands.ts';
import { makePython } from '@perennial/translators/contract/sdk/python.ts';
import { makeTypescript } from '@perennial/translators/contract/sdk/typescript.ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { build } from 'esbuild';
import { startWorld, type World } from '../../e2e/world.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

/* What clients' tools make of the documents, and what ours make of them, called against the running service. */
const root = resolve(import.meta.dirname, '..', '..', '..');
const tests = join(root, 'tests');
const run = promisify(execFile);
const versions = history.releases.filter(({ released }) => released !== undefined).map(({ id }) => id);

let world: World;
/** Where the oldest version could still be called. */
let earlier: TestGateway;
/** Below the repository, so that compilers find what they need. */
let folder: string;

beforeAll(async () => {
  world = await startWorld();
  earlier = await startTestGateway(world.core.url, world.database.url, { config: { serviceDate: '2022-06-01' } });
  await mkdir(join(tests, 'node_modules', '.cache'), { recursive: true });
  folder = await mkdtemp(join(tests, 'node_modules', '.cache', 'clients-'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  // Where it finds the compiler that it is made for: the repository's own has no interface for programs.
  await cp(join(root, 'node_modules', '@hey-api'), join(folder, 'node_modules', '@hey-api'), { recursive: true });
  const releases = await lockedReleases();
  await makeTypescript(releases, join(folder, 'node_modules', '@perennial', 'client'), { version: '0.0.0', root });
  await makePython(releases, join(folder, 'python'), { version: '0.0.0' });
});

afterAll(async () => {
  await earlier?.stop();
  await world?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const at = (version: string): { readonly url: string; readonly key: string } => ({
  url: version === '2022-05-01' ? earlier.url : world.gateway.url,
  key: version < '2023-10-15' ? world.demo.legacyApiKey : world.demo.apiKey,
});

async function documentOf(version: string): Promise<string> {
  const gateway = version === '2022-05-01' ? earlier : world.gateway;
  return (await gateway.send('GET', `/openapi/${version}.json`)).text;
}

/** Runs a program to its end. @returns what it printed, as JSON. */
async function printed(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<unknown> {
  const { stdout } = await run(program, args, { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

/** Compiles files with the compiler that generators are made for. @returns its complaints. */
async function compile(files: readonly string[]): Promise<string> {
  const compiler = join(tests, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'];
  const args = [...options, '--module', 'esnext', '--moduleResolution', 'bundler', ...files];
  return run(process.execPath, [compiler, ...args], { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

/** One operation of each category that needs nothing. */
const categories: Readonly<Record<string, string>> = {
  '/patients': 'patients.list',
  '/knowledge/conditions': 'knowledgeConditions.list',
  '/analytics/population': 'analytics.population',
  '/diagnostics': 'diagnostics.list',
  '/webhooks': 'webhooks.list',
  '/events': 'events.list',
  '/jobs': 'jobs.list',
  '/imaging/studies': 'imaging.studies.list',
};

describe.each(versions)('the document of v%s', (version) => {
  let document: OpenApiDocument;
  let file: string;

  beforeAll(async () => {
    const text = await documentOf(version);
    document = JSON.parse(text);
    file = join(folder, `${version}.json`);
    await writeFile(file, text);
  });

  test('has nothing that Redocly warns of', async () => {
    // Its only server is this machine's, which it takes for a mistake.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
    const found = await lintFromString({ source: await readFile(file, 'utf8'), absoluteRef: file, config });
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('becomes types of openapi-typescript that compile', async () => {
    const out = `types-${version}.ts`;
    const cli = join(root, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
    const own = join(tests, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
    const found = await readFile(own).then(
      () => own,
      () => cli,
    );
    await run(process.execPath, [found, file, '-o', join(folder, out)]);
    expect(await compile([out])).toBe('');
  });

  test('becomes a client of hey-api that compiles and calls an operation of every category', async () => {
    const name = `hey-${version}`;
    const cli = `
      import { createClient } from '@hey-api/openapi-ts';
      await createClient({ input: ${JSON.stringify(file)}, output: ${JSON.stringify(join(folder, name))}, plugins: ['@hey-api/client-fetch', '@hey-api/sdk'], logs: { level: 'silent' } });`;
    const script = join(folder, `make-${version}.mjs`);
    await writeFile(script, cli);
    await run(process.execPath, [script], { cwd: folder });
    expect(await compile([`${name}/index.ts`, `${name}/sdk.gen.ts`])).toBe('');
    const paths = Object.keys(categories).filter((path) => document.paths[path]?.['get']);
    expect(paths.length).toBeGreaterThanOrEqual(4);
    const { key } = at(version);
    // As its users call it, with nothing but a key.
    const calls = paths.map(
      (path) => `client.get({ url: '${path}', security: [{ type: 'http', scheme: 'bearer' }], auth: key })`,
    );
    await writeFile(
      join(folder, `call-${version}.ts`),
      `import { client } from './${name}/client.gen';\nimport * as sdk from './${name}/sdk.gen';\nconst key = ${JSON.stringify(key)};\nconst answers = await Promise.all([${calls.join(', ')}]);\nconsole.log(JSON.stringify({ operations: Object.keys(sdk).length, statuses: answers.map(({ response }) => response.status) }));`,
    );
    const bundle = join(folder, `call-${version}.mjs`);
    await build({
      entryPoints: [join(folder, `call-${version}.ts`)],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: bundle,
      logLevel: 'error',
    });
    const { operations, statuses } = (await printed(process.execPath, [bundle])) as {
      operations: number;
      statuses: number[];
    };
    expect(statuses).toEqual(paths.map(() => 200));
    const declared = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
    expect(operations).toBeGreaterThanOrEqual(declared);
  });

  test('our TypeScript client writes, reads, pages and fails in the words of the version', async () => {
    const { url, key } = at(version);
    const sex = version < '2023-04-30' ? 'gender' : 'sex';
    await writeFile(
      join(folder, `ours-${version}.ts`),
      `import { createClient, NotFound, Invalid } from '@perennial/client';
const service = createClient({ version: '${version}', baseUrl: '${url}', key: '${key}', client: 'test/1' });
const made = await service.call('patients.create', { body: { name: 'Amara Okafor', dob: '1984-03-07', ${sex}: 'female' } });
await service.call('patients.create', { body: { name: 'Amara Okafor', dob: '1984-03-07', ${sex}: 'female' } });
const read = await service.call('patients.get', { path: { patient_id: made.data.id } });
const names: string[] = [];
for await (const patient of service.items('patients.list', { query: { limit: 1 } })) names.push(patient.name);
const missing = await service.call('patients.get', { path: { patient_id: 'pat_00000000000000000000' } }).catch((e: unknown) => e instanceof NotFound && e.code);
const wrong = await service.call('patients.create', { body: { name: '', dob: '1984-03-07', ${sex}: 'female' } }).catch((e: unknown) => e instanceof Invalid && e.code);
console.log(JSON.stringify({ same: read.data.${sex}, names: names.length, missing, wrong, etag: read.etag !== undefined }));
`,
    );
    expect(await compile([`ours-${version}.ts`])).toBe('');
    const bundle = join(folder, `ours-${version}.mjs`);
    await build({
      entryPoints: [join(folder, `ours-${version}.ts`)],
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: bundle,
      logLevel: 'error',
    });
    const said = (await printed(process.execPath, [bundle])) as { names: number };
    expect(said).toMatchObject({ same: 'female', missing: 'not_found', etag: true });
    expect(said).toMatchObject({ wrong: expect.stringMatching(/^(validation_failed|invalid_request)/) });
    expect(said.names).toBeGreaterThanOrEqual(2);
  });

  test('our Python client does the same with the standard library alone', async () => {
    const { url, key } = at(version);
    const sex = version < '2023-04-30' ? 'gender' : 'sex';
    const text = `
import json, os
from perennial_client.v${version.replaceAll('-', '_')} import Client
from perennial_client import NotFound, items
service = Client(os.environ["SERVICE"], os.environ["KEY"], client="test/1")
made = service.patients_create({"name": "Amara Okafor", "dob": "1984-03-07", "${sex}": "female"})
read = service.patients_get(made["id"])
names = [each["name"] for each in items(service.patients_list, limit=1)]
try:
    service.patients_get("pat_00000000000000000000")
    missing = None
except NotFound as failed:
    missing = failed.code
print(json.dumps({"same": read["${sex}"], "names": len(names) > 1, "missing": missing}))
`;
    const env = { PYTHONPATH: join(folder, 'python'), SERVICE: url, KEY: key };
    expect(await printed('python3', ['-c', text], env)).toEqual({ same: 'female', names: true, missing: 'not_found' });
  });
});

test('what another version changed shows when the client is compiled for it', async () => {
  const text = (version: string): string =>
    `import { createClient } from '@perennial/client';\nconst service = createClient({ version: '${version}', baseUrl: '', key: '' });\nexport const made = service.call('patients.create', { body: { name: 'A', dob: '1984-03-07', gender: 'female' } });\n`;
  await writeFile(join(folder, 'before.ts'), text('2022-11-15'));
  await writeFile(join(folder, 'after.ts'), text('2023-04-30'));
  expect(await compile(['before.ts'])).toBe('');
  expect(await compile(['after.ts'])).toMatch(/after\.ts.*\n?.*gender/);
});

test('both clients take a delivery that Standard Webhooks signed, and no other', async () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes or so').toString('base64')}`;
  await writeFile(
    join(folder, 'webhook.ts'),
    `import { verifyWebhook } from '@perennial/client';
import { Webhook } from 'standardwebhooks';
const [secret, now, body] = ['${secret}', new Date(), '{"type":"patient.created"}'];
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)), 'webhook-signature': new Webhook(secret).sign('evt_1', now, body) };
const event = await verifyWebhook<{ type: string }>(secret, body, headers);
const forged = await verifyWebhook(secret, body + ' ', headers).then(() => 'taken', (e: Error) => e.name);
console.log(JSON.stringify({ type: event.type, forged, headers, body }));
`,
  );
  const bundle = join(folder, 'webhook.mjs');
  await build({
    entryPoints: [join(folder, 'webhook.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: bundle,
    logLevel: 'error',
    nodePaths: [join(root, 'node_modules')],
  });
  const said = (await printed(process.execPath, [bundle])) as { headers: object; body: string };
  expect(said).toMatchObject({ type: 'patient.created', forged: 'NotVerified' });
  const text = `
import json, os
from perennial_client import NotVerified, verify_webhook
headers, body = json.loads(os.environ["HEADERS"]), os.environ["BODY"]
event = verify_webhook("${secret}", body, headers)
try:
    forged = verify_webhook("${secret}", body + " ", headers) and "taken"
except NotVerified:
    forged = "refused"
print(json.dumps({"type": event["type"], "forged": forged}))
`;
  const env = { PYTHONPATH: join(folder, 'python'), HEADERS: JSON.stringify(said.headers), BODY: said.body };
  expect(await printed('python3', ['-c', text], env)).toEqual({ type: 'patient.created', forged: 'refused' });
});
