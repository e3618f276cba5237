import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario.ts';
import { WriteLoad } from '../write-load.ts';

/** Core is killed while clients write, again and again; every other time none is left for a while. */
export const scenario: Scenario = {
  name: 'core-killed-in-write',
  what: 'core is killed with SIGKILL in the middle of writes',
  needs: { cores: 2 },
  // The short run has one core to lose, and loses it where clients write beside a job.
  isLong: true,
  open: async (system) => ({
    async round(random) {
      const load = new WriteLoad(system);
      load.start(12, random);
      let kills = 0;
      for (let strike = random.integer(2, 4); strike > 0; strike -= 1) {
        // A write takes some milliseconds: any moment is one of every kind.
        await load.advance(random.integer(5, 80));
        await sleep(random.integer(0, 50) + random.next());
        const alive = system.alive('core');
        const struck = random.next() < 0.5 ? alive : [random.pick(alive)];
        await Promise.all(struck.map((core) => core.kill()));
        kills += struck.length;
        await system.replace('core', struck.length);
      }
      await sleep(random.integer(100, 300));
      await load.end();
      const { counts, violations } = await load.check();
      return { counts: { 'cores killed': kills, ...counts }, violations };
    },
  }),
};
