import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { ALL_WELL, exchangeAll } from '../../support/exchange-all.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { TEST_SECRET } from '../../support/secret.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';

let database: SeededDatabase;
let dataDir: string;
const started: { stop(): Promise<void> }[] = [];

jest.setTimeout(180_000);

beforeAll(async () => {
  database = await seededDatabase();
  dataDir = mkdtempSync(join(process.env['PERENNIAL_TEST_DIR'] ?? tmpdir(), 'core-authentication-'));
});

afterEach(async () => {
  jest.restoreAllMocks();
  for (const each of started.splice(0).reverse()) await each.stop();
});

afterAll(() => database.close());

function kept<T extends { stop(): Promise<void> }>(service: T): T {
  started.push(service);
  return service;
}

/** A core with a clock of its own. */
async function coreProcess(port = '0'): Promise<ServiceProcess> {
  const settings = { DATABASE_URL: database.url, INTERNAL_SECRET: TEST_SECRET, DATA_DIR: dataDir, CORE_PORT: port };
  return kept(await startServiceProcess('core/main.ts', settings));
}

describe('the clocks of gateway and core', () => {
  test('may be hours apart from the beginning, and jump by minutes and years either way, and no request fails', async () => {
    const core = await coreProcess();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now - 7_200_000);
    const gateway = kept(await startTestGateway(core.url, database.url));
    for (const ms of [-7_200_000, 60_000, -60_000, 86_400_000, 365 * 86_400_000, 0]) {
      clock.mockImplementation(() => now + ms);
      expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    }
  });
});

describe('a core that was killed and started anew at the same address', () => {
  test('is known by its first answer, and no request fails but what was under way', async () => {
    const first = await coreProcess();
    const gateway = kept(await startTestGateway(first.url, database.url));
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    await first.kill();
    await coreProcess(String(first.port));
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
    expect(await exchangeAll(gateway, database)).toEqual(ALL_WELL);
  });
});
