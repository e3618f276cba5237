import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { prepareDatabase, type ServiceUrls } from '@perennial/prisma/roles.ts';
import { type Demo, demoPath, seedDemo } from '@perennial/prisma/seed.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import { greeting, plainGreeting } from './greeting.ts';
import { requireFree } from './ports.ts';
import { startService } from './service.ts';
import { StandIn } from './stand-in.ts';
import { readStartConfig, type StartConfig } from './start-config.ts';
import { Supervisor } from './supervisor.ts';

/*
 * `npm start`: database, migrations, seed, core, gateway, in that order; stopped in the reverse one. What dies is started
 * again. Where the two entries are is an argument only so that a test can put others in their place.
 */

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { config: { type: 'string' } },
});
const [coreEntry = 'core/main.ts', gatewayEntry = 'gateway/main.ts'] = positionals;
if (options.config !== undefined) process.env['CONFIG_FILE'] = options.config;

const interruption = new AbortController();
let stopped: Promise<void> | undefined;
let supervisor: Supervisor | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// Whoever started this one can no longer stop it.
process.on('disconnect', () => void stop(0));
// The reader of a pipe may leave; the services go on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const starting = start().catch((error: unknown) => {
  // Stopped on the way up: what fails because of that is no news.
  if (interruption.signal.aborted) return;
  say(error instanceof Error ? error.message : String(error));
  void stop(1);
});

async function start(): Promise<void> {
  const config = readStartConfig(process.env);
  await requireFree('PORT', config.host, config.port);
  await requireFree('CORE_PORT', config.host, config.corePort);
  const parts = new Supervisor({ deathsMax: config.deathsPerMinuteMax, say, gaveUp: () => void stop(1) });
  supervisor = parts;
  const { signal } = interruption;
  const standIn = new StandIn();

  // It comes back where it was, unless somebody else has taken its port meanwhile.
  let databasePort: number | undefined;
  let logins: ServiceUrls | undefined;
  const database = await parts.start({
    name: 'database',
    isNeededByAll: true,
    start: async () => {
      const databaseUrl = config.databaseAdminUrl ?? config.databaseUrl;
      const server = await startDatabase({ dataDir: config.dataDir, databaseUrl, port: databasePort });
      const found = Number(new URL(server.url).port);
      if (found !== databasePort || !logins) logins = await prepareLogins(server.url, config);
      databasePort = found;
      return server;
    },
    revived: async (server) => {
      if (server.url === database.url) return;
      await parts.renew('core');
      await parts.renew('gateway');
    },
  });
  const seeded = (gatewayUrl: string): Promise<Demo | undefined> =>
    config.isDemo ? seed(database.url, config, gatewayUrl) : Promise.resolve(undefined);
  let demo = await seeded(`http://${urlHost(config.host)}:${config.port}`);
  const env = {
    // What starts again starts sooner.
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
    ...config.environment,
    HOST: config.host,
    DATA_DIR: resolve(config.dataDir),
    // Of no use to a service, and not for it to know.
    DATABASE_ADMIN_URL: undefined,
    DATABASE_GATEWAY_URL: undefined,
    INTERNAL_SECRET: config.internalSecret,
  };
  const { drainMs, silentMsMax } = config;
  // With port 0 the first start chooses, and all others keep to it.
  let corePort = config.corePort;
  let isCoreAwaited = false;
  const core = await parts.start({
    name: 'core',
    start: async () => {
      const running = await startService({
        name: 'core',
        entry: coreEntry,
        env: { ...env, DATABASE_URL: logins?.coreUrl, CORE_PORT: String(corePort) },
        args: isCoreAwaited ? ['--awaited'] : [],
        signal,
        drainMs,
        silentMsMax,
      });
      corePort = Number(new URL(running.url).port);
      isCoreAwaited = true;
      return running;
    },
  });
  let port = config.port;
  const gateway = await parts.start({
    name: 'gateway',
    died: () => standIn.open(config.host, port),
    start: async () => {
      const running = await startService({
        name: 'gateway',
        entry: gatewayEntry,
        env: {
          ...env,
          DATABASE_URL: logins?.gatewayUrl,
          PORT: String(port),
          CORE_URL: core.url,
          // Its keys are for whoever started this, at this machine.
          DEMO_FILE: config.isDemo ? resolve(demoPath(config.dataDir)) : undefined,
        },
        signal,
        drainMs,
        silentMsMax,
        leavePort: () => standIn.close(),
      });
      port = Number(new URL(running.url).port);
      return running;
    },
  });
  // With PORT=0 the address is known only now.
  if (demo !== undefined && gateway.url !== demo.gateway) demo = await seeded(gateway.url);
  process.stdout.write(demo === undefined ? plainGreeting(gateway.url) : greeting(demo, config.dataDir));
}

/** Where there is an owner beside the services, each of them gets a login of its own. */
async function prepareLogins(url: string, config: StartConfig): Promise<ServiceUrls> {
  const { databaseUrl: coreUrl, databaseGatewayUrl: gatewayUrl, databaseAdminUrl } = config;
  if (databaseAdminUrl !== undefined || coreUrl === undefined)
    return prepareDatabase({ adminUrl: url, coreUrl, gatewayUrl });
  await migrate(url);
  return { coreUrl, gatewayUrl: gatewayUrl ?? coreUrl };
}

/** Stops the gateway, then core, then the database, once, and exits. */
function stop(code: number): Promise<void> {
  stopped ??= (async () => {
    interruption.abort();
    await supervisor?.stop();
    // A part that was still on its way up is stopped by the supervisor.
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

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function say(line: string): void {
  process.stderr.write(`perennial: ${line}\n`);
}
