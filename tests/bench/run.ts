import { mkdtemp, rm } from 'node:fs/promises';
import { arch, cpus, platform, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount } from '@perennial/prisma/accounts.ts';
import { createDatabase } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { startDatabase } from '@perennial/prisma/server.ts';
import autocannon from 'autocannon';
import { canPin, pinSelf, quietMachine, type Service, startPinned } from './processes.ts';
import type { Recorded } from './upstream.ts';

/*
 * `npm run bench`: what the gateway costs, beside what others cost who do less. Rounds are interleaved, so that what
 * else the machine does falls on all alike, and medians are shown.
 *
 *   --seconds 3   length of one round
 *   --rounds 5    rounds of each
 *   --connections 64  enough to keep the serving processor busy: with 32 the load's own is waited for
 *   --only gateway-current,hpm-bare
 *   --profile DIR writes CPU profiles of the gateway and its competitors
 *   --node='--trace-gc'  flags for their Node.js
 *   --quiet       waits before each round until nothing else keeps the machine busy, a minute at most
 *   --json        prints figures only
 */

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
    profile: { type: 'string' },
    node: { type: 'string', default: '' },
    quiet: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const rounds = Number(options.rounds);
const connections = Number(options.connections);

/** Where one kind of request is sent. */
interface Target {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The process that serves it. */
  readonly service: Service;
  /** What an answer must show, so that nothing is measured that does not work. */
  readonly shows: readonly string[];
}

/** Medians over the rounds. */
interface Figures {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the serving process per request: steadier than the rest on a machine that others use. */
  readonly cpuUsPerRequest: number;
  readonly rounds: readonly number[];
}

const SECRET = 'the benchmark’s own secret, of more than 32 characters';
/** The gateway and its competitors have this processor for themselves; the load and the upstream share the other. */
const SERVED = 0;
const LOADING = 1;

const running: { stop(): Promise<void> }[] = [];
const keep = <T extends { stop(): Promise<void> }>(part: T): T => {
  running.push(part);
  return part;
};

try {
  pinSelf(LOADING);
  const targets = await prepare();
  const wanted = options.only?.split(',');
  report(await measure(wanted ? targets.filter(({ id }) => wanted.includes(id)) : targets));
} finally {
  for (const part of running.reverse()) await part.stop();
}

/** Starts everything, and checks that each answers what it should. */
async function prepare(): Promise<readonly Target[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
  keep({ stop: () => rm(dataDir, { recursive: true, force: true }) });
  const database = keep(await startDatabase({ dataDir, durable: false }));
  await migrate(database.url);
  const client = createDatabase(database.url);
  const { apiKey } = await createAccount(client);
  await client.$disconnect();
  const env = { DATABASE_URL: database.url, INTERNAL_SECRET: SECRET, LOG_LEVEL: 'warn', PORT: '0', CORE_PORT: '0' };

  const profile = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];
  const flags = [...profile, ...options.node.split(' ').filter((flag) => flag !== '')];
  const recorded = await record(env, apiKey);
  const upstream = keep(await startPinned('tests/bench/upstream.ts', LOADING, { RECORDED: JSON.stringify(recorded) }));
  const competitor = async (rewrites: string): Promise<Service> =>
    keep(await startPinned('tests/bench/competitor.ts', SERVED, { UPSTREAM: upstream.url, REWRITES: rewrites }, flags));
  const bare = await competitor('no');
  const interceptor = await competitor('yes');
  const gateway = keep(
    await startPinned(
      'gateway/main.ts',
      SERVED,
      { ...env, CORE_URL: upstream.url, RATE_LIMIT_PER_MINUTE: '1000000000' },
      flags,
    ),
  );

  const { id } = (JSON.parse(recorded.body) as { data: { id: string } }).data;
  const path = `/patients/${id}`;
  const authorization = { authorization: `Bearer ${apiKey}` };
  const newer = ['"sex"', '"contact_info"', '"2.5.0"'];
  const older = ['"gender"', '"contact"', '"2.3.0"'];
  const targets: readonly Target[] = [
    {
      id: 'core',
      title: 'straight to core',
      service: upstream,
      url: `${upstream.url}${path}`,
      headers: {},
      shows: newer,
    },
    {
      id: 'hpm-bare',
      title: 'http-proxy-middleware, bare',
      service: bare,
      url: `${bare.url}${path}`,
      headers: {},
      shows: newer,
    },
    {
      id: 'hpm-interceptor',
      title: 'its responseInterceptor, same rewrite',
      service: interceptor,
      url: `${interceptor.url}${path}`,
      headers: {},
      shows: older,
    },
    {
      id: 'gateway-current',
      title: 'gateway, current version',
      service: gateway,
      url: `${gateway.url}/v2023-10-15${path}`,
      headers: authorization,
      shows: newer,
    },
    {
      id: 'gateway-oldest',
      title: 'gateway, oldest live version',
      service: gateway,
      url: `${gateway.url}/v2022-11-15${path}`,
      headers: authorization,
      shows: older,
    },
  ];
  for (const { title, url, headers, shows } of targets) {
    const answer = await fetch(url, { headers });
    const text = await answer.text();
    if (answer.status !== 200 || !shows.every((each) => text.includes(each)))
      throw new Error(`${title} answers ${answer.status} ${text.slice(0, 300)}`);
  }
  return targets;
}

/** An answer of the real core, with fields as long as real ones can be. */
async function record(env: NodeJS.ProcessEnv, apiKey: string): Promise<Recorded> {
  const core = await startPinned('core/main.ts', LOADING, env);
  const gateway = await startPinned('gateway/main.ts', SERVED, { ...env, CORE_URL: core.url });
  try {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = {
      name: `Amara Chidinma Okafor-Ångström ${'of the long name '.repeat(9)}`.slice(0, 200),
      dob: '1984-03-07',
      sex: 'female',
      gender_identity: 'woman, in her own words, which may be longer than one word',
      contact_info: {
        email: `${'amara.okafor'.repeat(5)}@${'clinic.'.repeat(20)}example.org`,
        phone: '+44 20 7946 0958 ext. 12345',
        preferred_method: 'phone',
      },
    };
    const created = await fetch(`${gateway.url}/v2023-10-15/patients`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (created.status !== 201) throw new Error(`core answers ${created.status} ${await created.text()}`);
    const answer = await fetch(
      `${gateway.url}/v2023-10-15${created.headers.get('location')?.replace(/^\/v[^/]+/, '')}`,
      {
        headers,
      },
    );
    if (answer.status !== 200) throw new Error(`core answers ${answer.status} ${await answer.text()}`);
    const kept = ['content-type', 'etag', 'cache-control'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { headers: Object.fromEntries(kept), body: await answer.text() };
  } finally {
    await gateway.stop();
    await core.stop();
  }
}

async function measure(targets: readonly Target[]): Promise<ReadonlyMap<Target, Figures>> {
  const results = new Map<Target, autocannon.Result[]>(targets.map((target) => [target, []]));
  const cpu = new Map<Target, number[]>(targets.map((target) => [target, []]));
  for (const target of targets) await load(target, Math.min(seconds, 2));
  for (let round = 1; round <= rounds; round += 1) {
    for (const target of targets) {
      if (options.quiet) await quietMachine();
      const usedUs = target.service.cpuUs();
      const result = await load(target, seconds);
      cpu.get(target)?.push((target.service.cpuUs() - usedUs) / Math.max(1, result.requests.total));
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${target.title}: ${result.non2xx} bad answers, ${result.errors} errors`);
      results.get(target)?.push(result);
    }
    if (!options.json) process.stderr.write(`round ${round} of ${rounds}\n`);
  }
  return new Map(
    targets.map((target) => {
      const each = results.get(target) ?? [];
      return [
        target,
        {
          requestsPerSecond: median(each.map(({ requests }) => requests.average)),
          p50Ms: median(each.map(({ latency }) => latency.p50)),
          p99Ms: median(each.map(({ latency }) => latency.p99)),
          cpuUsPerRequest: median(cpu.get(target) ?? []),
          rounds: each.map(({ requests }) => Math.round(requests.average)),
        },
      ];
    }),
  );
}

function load({ url, headers }: Target, duration: number): Promise<autocannon.Result> {
  return autocannon({ url, headers: { ...headers }, connections, duration });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function report(figures: ReadonlyMap<Target, Figures>): void {
  const rate = (id: string): number =>
    [...figures].find(([target]) => target.id === id)?.[1].requestsPerSecond ?? Number.NaN;
  const ratios = [
    { name: 'current / bare', value: rate('gateway-current') / rate('hpm-bare'), goal: 0.8 },
    { name: 'oldest / responseInterceptor', value: rate('gateway-oldest') / rate('hpm-interceptor'), goal: 1.3 },
  ];
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.version,
    pinned: canPin,
  };
  if (options.json) {
    const targets = Object.fromEntries([...figures].map(([{ id }, each]) => [id, each]));
    console.log(JSON.stringify({ machine, seconds, rounds, connections, targets, ratios }));
    return;
  }
  console.log(
    `${machine.processors} × ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}`,
  );
  console.log(
    `${connections} connections, ${rounds} interleaved rounds of ${seconds} s, medians; ${
      canPin ? 'gateway and competitors on processor 0, load and upstream on processor 1' : 'NOT pinned'
    }`,
  );
  console.log(
    'The upstream answers one recorded answer of the real core from memory, so that it is not what is measured.',
  );
  console.log(
    'The gateway verifies keys, limits, resolves versions and logs at level warn; the others do nothing of it.\n',
  );
  console.log(
    `${''.padEnd(40)}${'req/s'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'cpu µs'.padStart(9)}`,
  );
  for (const [{ title }, { requestsPerSecond, p50Ms, p99Ms, cpuUsPerRequest }] of figures)
    console.log(
      `${title.padEnd(40)}${requestsPerSecond.toFixed(0).padStart(9)}${p50Ms.toFixed(1).padStart(9)}${p99Ms.toFixed(1).padStart(9)}${cpuUsPerRequest.toFixed(0).padStart(9)}`,
    );
  console.log('');
  for (const { name, value, goal } of ratios)
    if (!Number.isNaN(value))
      console.log(`${name.padEnd(40)}${value.toFixed(2).padStart(9)}   goal ${goal}${value >= goal ? '' : '  MISSED'}`);
}
