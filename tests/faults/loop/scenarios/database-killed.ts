import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { WriteLoad } from '../write-load.ts';

const OUTAGE_MS = 10_000;
const SHORT_OUTAGE_MS = 500;

/** The database server is killed while clients write, and comes back ten seconds later. */
export const scenario: Scenario = {
  name: 'database-killed',
  what: 'the database is killed with SIGKILL in the middle of writes, and is gone for ten seconds',
  needs: {},
  open: async (system, isShort) => ({
    async round(random) {
      const services = [...system.alive('core'), ...system.alive('gateway')];
      const load = new WriteLoad(system);
      load.start(isShort ? 4 : 12, random);
      await load.advance(random.integer(5, isShort ? 20 : 80));
      await sleep(random.integer(0, 50) + random.next());
      await system.killDatabase();
      const outageMs = isShort ? SHORT_OUTAGE_MS : OUTAGE_MS;
      await sleep(outageMs);
      const before = load.acknowledged;
      await system.restartDatabase();
      await sleep(random.integer(200, 500));
      await load.end();
      const { counts, violations } = await load.check();
      const dead = services.filter((service) => !service.isAlive()).length;
      return {
        counts: { 'seconds without': outageMs / 1_000, 'written after': load.acknowledged - before, ...counts },
        violations: dead === 0 ? violations : [...violations, `${dead} services did not survive the outage`],
      };
    },
  }),
};
