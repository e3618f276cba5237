import { createServer } from 'node:net';
import { relative, resolve } from 'node:path';
import { createDatabase } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { type Demo, demoPath, seedDemo } from '@perennial/prisma/seed.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { startService } from './service.ts';
import { readStartConfig, type StartConfig } from './start-config.ts';

/*
 * `npm start`: database, migrations, seed, core, gateway, in that order; stopped in the reverse one. Where the two
 * entries are is an argument only so that a test can put others in their place.
 */

const [coreEntry = 'core/main.ts', gatewayEntry = 'gateway/main.ts'] = process.argv.slice(2);

/** What has been started and must be stopped, the last first. */
const running: { name: string; stop(): Promise<void> }[] = [];
const interruption = new AbortController();
let stopped: Promise<void> | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// Whoever started this one can no longer stop it.
process.on('disconnect', () => void stop(0));
// The reader of a pipe may leave; the services go on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const starting = start().catch((error: unknown) => {
  // Stopped on the way up: what fails because of that is no news.
  if (interruption.signal.aborted) return;
  process.stderr.write(`perennial: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
  void stop(1);
});

async function start(): Promise<void> {
  const config = readStartConfig(process.env);
  await requireFree('PORT', config.host, config.port);
  await requireFree('CORE_PORT', config.host, config.corePort);
  const database = await startDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl });
  await keep({ name: 'database', ...database });
  await migrate(database.url);
  let demo = await seed(database.url, config, `http://${urlHost(config.host)}:${config.port}`);
  const env = {
    ...process.env,
    HOST: config.host,
    DATA_DIR: resolve(config.dataDir),
    DATABASE_URL: database.url,
    INTERNAL_SECRET: config.internalSecret,
  };
  const core = await startService(
    'core',
    coreEntry,
    { ...env, CORE_PORT: String(config.corePort) },
    interruption.signal,
  );
  await keep(core);
  const gateway = await startService(
    'gateway',
    gatewayEntry,
    { ...env, PORT: String(config.port), CORE_URL: core.url },
    interruption.signal,
  );
  await keep(gateway);
  // With PORT=0 the address is known only now.
  if (gateway.url !== demo.gateway) demo = await seed(database.url, config, gateway.url);
  process.stdout.write(greeting(demo, config.dataDir));
}

/** Remembers what must be stopped, and watches over it. What came up while everything stops is stopped at once. */
async function keep(part: { name: string; failed: Promise<string>; stop(): Promise<void> }): Promise<void> {
  void part.failed.then((reason) => {
    if (stopped === undefined) process.stderr.write(`perennial: ${part.name}: ${reason}; stopping\n`);
    void stop(1);
  });
  if (interruption.signal.aborted) {
    await part.stop();
    throw new Error('stopped while starting');
  }
  running.push(part);
}

/** Stops the gateway, then core, then the database, once, and exits. */
function stop(code: number): Promise<void> {
  stopped ??= (async () => {
    interruption.abort();
    for (const part of running.splice(0).reverse()) await part.stop();
    // A part that was still on its way up is stopped by `keep`.
    await starting;
    process.exit(code);
  })();
  return stopped;
}

async function seed(url: string, config: StartConfig, gatewayUrl: string): Promise<Demo> {
  const db = createDatabase(url, { poolMax: 2 });
  try {
    return await seedDemo(db, { dataDir: config.dataDir, gatewayUrl });
  } finally {
    await db.$disconnect();
  }
}

function requireFree(name: string, host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((free, refuse) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        refuse(new Error(`port ${port} is taken; stop the program that has it, or set ${name} to another`));
      } else
        refuse(new Error(`cannot listen on ${host}:${port} (${error.code ?? error.message}); check HOST and ${name}`));
    });
    probe.listen(port, host, () => probe.close(() => free()));
  });
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function greeting({ gateway, patientId }: Demo, dataDir: string): string {
  const path = relative('.', demoPath(dataDir));
  const file = path.startsWith('..') ? resolve(demoPath(dataDir)) : path;
  const authorization = `-H "Authorization: Bearer $KEY"`;
  const chestPain = JSON.stringify({
    patientData: {
      age: 68,
      sex: 'male',
      symptoms: ['crushing chest pain', 'sweating'],
      vitalSigns: { bloodPressure: { systolic: 88, diastolic: 56 }, heartRate: 118 },
    },
  });
  return `
Perennial is ready at ${gateway}
The demo keys are in ${file}

An old client, with legacyApiKey as $KEY:
  curl ${authorization} ${gateway}/v2022-11-15/patients/${patientId}
The same patient today, with apiKey as $KEY:
  curl ${authorization} ${gateway}/v2/patients/${patientId}
An analysis, with apiKey as $KEY:
  curl ${authorization} -H 'Content-Type: application/json' -d '${chestPain}' ${gateway}/v2/diagnostics/analyze

`;
}
