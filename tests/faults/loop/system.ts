import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount, type FreshAccount } from '@perennial/prisma/accounts.ts';
import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { migrate } from '@perennial/prisma/migrate.ts';
import { type DatabaseServer, startDatabase } from '@perennial/prisma/server.ts';
import { Relay } from '../../support/relay.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

/** What a system is made of. */
export interface SystemOptions {
  /** Folder of its own for the database and the files. */
  readonly dataDir: string;
  readonly cores: number;
  readonly gateways: number;
  /** Settings of the services beside those that connect them. */
  readonly env: Readonly<Record<string, string>>;
}

export type ServiceName = 'core' | 'gateway';

/**
 * The whole service in processes of its own: a PostgreSQL, several cores and several gateways behind addresses that stay
 * while the processes behind them are killed and started again.
 */
export class System {
  readonly dataDir: string;
  readonly account: FreshAccount;
  /** Where clients send requests: a gateway that is alive. */
  readonly url: string;
  readonly #server: DatabaseHost;
  readonly #services: Readonly<Record<ServiceName, Service>>;
  readonly #database: Database;

  private constructor(
    dataDir: string,
    server: DatabaseHost,
    services: Readonly<Record<ServiceName, Service>>,
    database: Database,
    account: FreshAccount,
  ) {
    this.dataDir = dataDir;
    this.account = account;
    this.url = services.gateway.url;
    this.#server = server;
    this.#services = services;
    this.#database = database;
  }

  static async start(options: SystemOptions): Promise<System> {
    const server = await DatabaseHost.start(options);
    await migrate(server.url);
    const database = createDatabase(server.url, { poolMax: 4 });
    const account = await createAccount(database);
    const env = {
      ...options.env,
      DATABASE_URL: server.url,
      DATA_DIR: options.dataDir,
      INTERNAL_SECRET: TEST_SECRET,
      // A client that hammers is what this is about, and a key that is looked up each time nothing that it needs.
      RATE_LIMIT_PER_MINUTE: '1000000',
    };
    const core = await Service.open('core/main.ts', env);
    const gateway = await Service.open('gateway/main.ts', { ...env, CORE_URL: core.url });
    await Promise.all([core.add(options.cores), gateway.add(options.gateways)]);
    return new System(options.dataDir, server, { core, gateway }, database, account);
  }

  /** For checks, made by whoever looks on: not through the services. */
  get database(): Database {
    return this.#database;
  }

  /** The processes of a service that are alive. */
  alive(name: ServiceName): readonly ServiceProcess[] {
    return this.#services[name].alive();
  }

  /** Starts processes in place of those that were killed. */
  async replace(name: ServiceName, count = 1): Promise<void> {
    await this.#services[name].add(count);
  }

  /** SIGKILL to every process of the database server. */
  async killDatabase(): Promise<void> {
    await this.#server.kill();
  }

  /** Starts the database server again, on what the one that was killed had written. */
  async restartDatabase(): Promise<void> {
    await this.#server.restart();
  }

  async stop(): Promise<void> {
    await this.#services.gateway.close();
    await this.#services.core.close();
    await this.#database.$disconnect();
    await this.#server.close();
  }
}

/** Processes of one service behind one address. */
class Service {
  readonly url: string;
  readonly #entry: 'core/main.ts' | 'gateway/main.ts';
  readonly #env: Readonly<Record<string, string>>;
  readonly #relay: Relay;
  readonly #processes: Set<ServiceProcess>;

  private constructor(
    url: string,
    entry: 'core/main.ts' | 'gateway/main.ts',
    env: Readonly<Record<string, string>>,
    relay: Relay,
    processes: Set<ServiceProcess>,
  ) {
    this.url = url;
    this.#entry = entry;
    this.#env = env;
    this.#relay = relay;
    this.#processes = processes;
  }

  static async open(
    entry: 'core/main.ts' | 'gateway/main.ts',
    env: Readonly<Record<string, string>>,
  ): Promise<Service> {
    const processes = new Set<ServiceProcess>();
    const relay = new Relay(() => [...processes].filter((each) => each.isAlive()).map(({ port }) => port));
    return new Service(`http://127.0.0.1:${await relay.open()}`, entry, env, relay, processes);
  }

  async add(count: number): Promise<void> {
    const start = async (): Promise<void> => {
      this.#processes.add(await startServiceProcess(this.#entry, this.#env));
    };
    await Promise.all(Array.from({ length: count }, start));
  }

  alive(): readonly ServiceProcess[] {
    return [...this.#processes].filter((each) => each.isAlive());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes].map((each) => each.stop()));
    await this.#relay.close();
  }
}

/**
 * A PostgreSQL of its own behind one address: each start chooses a port of its own. It is durable, unlike that of other
 * tests, which commits before anything is written and would lose what it has acknowledged.
 */
class DatabaseHost {
  readonly url: string;
  readonly #options: Pick<SystemOptions, 'dataDir'>;
  readonly #relay: Relay;
  #server: DatabaseServer | undefined;

  private constructor(url: string, options: Pick<SystemOptions, 'dataDir'>, relay: Relay, server: DatabaseServer) {
    this.url = url;
    this.#options = options;
    this.#relay = relay;
    this.#server = server;
  }

  static async start(options: Pick<SystemOptions, 'dataDir'>): Promise<DatabaseHost> {
    const server = await startDatabase({ dataDir: options.dataDir });
    const relay = new Relay(() => {
      const at = host.#server?.url;
      return at === undefined ? [] : [Number(new URL(at).port)];
    });
    const url = new URL(server.url);
    url.port = String(await relay.open());
    const host = new DatabaseHost(url.href, options, relay, server);
    return host;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const path = join(this.#options.dataDir, 'postgres', 'data', 'postmaster.pid');
    process.kill(Number((await readFile(path, 'utf8')).split('\n', 1)[0]), 'SIGKILL');
    // Its helper notices, and has ended when this resolves; what the server had begun is left as it was.
    await server.failed;
  }

  async restart(): Promise<void> {
    this.#server = await startDatabase({ dataDir: this.#options.dataDir });
  }

  async close(): Promise<void> {
    await this.#relay.close();
    await this.#server?.stop();
  }
}
