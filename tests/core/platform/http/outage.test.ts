import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from '@perennial/schemas/resources/patient.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { freshDatabase, loginsOf, type TestDatabase } from '../../../support/database.ts';

/** A wire between core and the database that can be cut and mended. */
class Wire {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  port = 0;

  constructor(host: string, port: number) {
    this.#server = createServer((near) => {
      if (this.#isCut) {
        near.destroy();
        return;
      }
      const far = connect(port, host);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket
          .on('error', () => undefined)
          .on('close', () => {
            near.destroy();
            far.destroy();
            this.#sockets.delete(socket);
          });
      }
      near.pipe(far);
      far.pipe(near);
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as { port: number }).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let database: TestDatabase;
let wire: Wire;
let core: TestCore;
let path: string;

beforeAll(async () => {
  database = await freshDatabase();
  const target = new URL(database.url);
  wire = new Wire(target.hostname, Number(target.port));
  await wire.open();
  target.port = String(wire.port);
  core = await startCore(target.href);
  const { data } = await core.call<Patient>('POST', '/patients', { body });
  path = `/patients/${data.id}`;
});

afterAll(async () => {
  wire.mend();
  await core.stop();
  await wire.close();
  await database.close();
});

const body = { name: 'Amara Okafor', dob: '1984-03-07' };

const every: [string, string, () => string, unknown][] = [
  ['get', 'GET', () => path, undefined],
  ['list', 'GET', () => '/patients?include_total=true&sort=name', undefined],
  ['create', 'POST', () => '/patients', body],
  ['replace', 'PUT', () => path, { ...body, name: 'B' }],
  ['update', 'PATCH', () => path, { name: 'C' }],
];

describe('while the database cannot be reached', () => {
  test.each(every)(
    '%s is 503 with Retry-After, and works again as soon as it can be',
    async (_name, method, at, sent) => {
      wire.cut();
      try {
        for (let round = 0; round < 2; round += 1) {
          const reply = await core.call(method, at(), { body: sent });
          expect([reply.status, reply.error.code]).toEqual([503, 'unavailable']);
          expect(reply.headers['retry-after']).toBe('1');
        }
      } finally {
        wire.mend();
      }
      expect((await core.call(method, at(), { body: sent })).status).toBeLessThan(300);
    },
  );

  test('it is alive but not ready', async () => {
    wire.cut();
    try {
      expect((await core.call('GET', '/health', { caller: null })).status).toBe(200);
      const ready = await core.call('GET', '/ready', { caller: null });
      expect([ready.status, ready.text]).toEqual([503, '{"status":"database_unavailable"}']);
    } finally {
      wire.mend();
    }
    // What it knows is a second old at most.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await core.call('GET', '/ready', { caller: null })).status).toBe(200);
  });

  test('what can be refused without it is refused', async () => {
    wire.cut();
    try {
      expect((await core.call('POST', '/patients', { body: {} })).status).toBe(422);
      expect((await core.call('GET', '/nowhere')).status).toBe(404);
    } finally {
      wire.mend();
    }
  });
});

test('connections that the server ends while they are unused cost no request its answer for good', async () => {
  await Promise.all(Array.from({ length: 8 }, () => core.call('GET', path)));
  await database.db.$executeRaw`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'perennial-core'`;
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round += 1) statuses.add((await core.call('GET', path)).status);
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
  expect((await core.call('GET', path)).status).toBe(200);
});

test('what the database refuses is our own fault: 500 without a word of why', async () => {
  const login = new URL(loginsOf(database.url).coreUrl).username;
  await database.db.$executeRawUnsafe(`REVOKE USAGE ON SCHEMA core FROM ${login}`);
  try {
    for (const [, method, at, sent] of every) {
      const reply = await core.call(method, at(), { body: sent });
      expect([reply.status, reply.error.code, reply.error.details]).toEqual([500, 'internal_error', []]);
      expect(reply.text).not.toMatch(/patients|relation|prisma/i);
    }
  } finally {
    await database.db.$executeRawUnsafe(`GRANT USAGE ON SCHEMA core TO ${login}`);
  }
  expect((await core.call('GET', path)).status).toBe(200);
});
