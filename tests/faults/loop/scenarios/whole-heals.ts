import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@perennial/prisma/client.ts';
import { runningServer } from '@perennial/prisma/running-server.ts';
import { type Demo, demoPath } from '@perennial/prisma/seed.ts';
import { type Kind, Whole } from '../../../start/whole.ts';
import type { Scenario } from '../scenario.ts';
import { WriteLoad } from '../write-load.ts';

const KILLS_A_ROUND = 10;
const KINDS: readonly Kind[] = ['core', 'gateway', 'postgres', 'helper'];

/** The service as `npm start` runs it loses one process after the other, and nobody but itself brings them back. */
export const scenario: Scenario = {
  name: 'whole-heals',
  what: 'any process of `npm start` but the first is killed with SIGKILL in the middle of writes, and it heals by itself',
  needs: {},
  // A minute a round.
  isLong: true,
  open: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'perennial-heals-'));
    const whole = Whole.begin({ DATA_DIR: dataDir, DEATHS_PER_MINUTE_MAX: '1000', RATE_LIMIT_PER_MINUTE: '1000000' });
    const url = await whole.ready();
    const demo = JSON.parse(await readFile(demoPath(dataDir), 'utf8')) as Demo;
    const database = createDatabase((await runningServer(dataDir)) as string, { poolMax: 2 });
    return {
      async round(random) {
        const load = new WriteLoad({ url, account: demo, database, dataDir });
        load.start(6, random);
        const killed: Record<string, number> = {};
        for (let kills = 0; kills < KILLS_A_ROUND; kills += 1) {
          // Writes go on, so it has healed from the one before.
          await load.advance(random.integer(3, 30));
          await sleep(random.integer(0, 50));
          const kind = random.pick(KINDS);
          whole.signal(kind, 'SIGKILL');
          killed[`${kind} killed`] = (killed[`${kind} killed`] ?? 0) + 1;
        }
        await load.advance(10);
        await load.end();
        const { counts, violations } = await load.check();
        return { counts: { ...killed, ...counts }, violations };
      },
      async close() {
        await database.$disconnect();
        await whole.end();
        await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  },
};
