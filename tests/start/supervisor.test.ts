import { describe, expect, test } from '@jest/globals';
import { type Part, type Running, Supervisor } from '../../.scripts/supervisor.ts';

/** A part that dies when the test says so, and tells in `log` what becomes of it. */
class Puppet {
  readonly part: Part;
  /** Held back until it resolves. */
  mayStart: Promise<void> = Promise.resolve();
  mayStop: Promise<void> = Promise.resolve();
  #die: (reason: string) => void = () => undefined;

  constructor(name: string, log: string[], options: Partial<Part> = {}) {
    this.part = {
      name,
      start: async (): Promise<Running> => {
        await this.mayStart;
        log.push(`${name} starts`);
        return {
          url: name,
          failed: new Promise((resolve) => {
            this.#die = resolve;
          }),
          stop: async () => {
            await this.mayStop;
            log.push(`${name} stops`);
          },
        };
      },
      ...options,
    };
  }

  die(): void {
    this.#die('it was killed');
  }
}

interface Stage {
  readonly log: string[];
  readonly supervisor: Supervisor;
  readonly database: Puppet;
  readonly core: Puppet;
}

async function stage(deathsMax = 5): Promise<Stage> {
  const log: string[] = [];
  const supervisor = new Supervisor({ deathsMax, say: (line) => log.push(line), gaveUp: () => log.push('gave up') });
  const database = new Puppet('database', log, { isNeededByAll: true });
  const core = new Puppet('core', log);
  await supervisor.start(database.part);
  await supervisor.start(core.part);
  log.length = 0;
  return { log, supervisor, database, core };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const again = (log: readonly string[], name: string): boolean => log.includes(`${name}: runs again`);

describe('a supervisor', () => {
  test('starts what dies again, alone', async () => {
    const { log, core } = await stage();
    core.die();
    await until(() => again(log, 'core'));
    expect(log).toEqual(['core: it was killed; starting it again', 'core starts', 'core: runs again']);
  });

  test('starts nothing again before what all need runs', async () => {
    const { log, database, core } = await stage();
    let release = (): void => undefined;
    database.mayStart = new Promise((resolve) => {
      release = resolve;
    });
    database.die();
    core.die();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(log.filter((line) => line.endsWith(' starts'))).toEqual([]);
    release();
    await until(() => again(log, 'core'));
    expect(log.filter((line) => line.endsWith(' starts'))).toEqual(['database starts', 'core starts']);
  });

  test('counts the deaths of all, and after the last one that is allowed starts nothing and says what died', async () => {
    const { log, database, core } = await stage(3);
    core.die();
    await until(() => again(log, 'core'));
    database.die();
    await until(() => again(log, 'database'));
    core.die();
    await until(() => log.includes('gave up'));
    expect(log.at(-2)).toBe(
      'core: it was killed; not started again, because of 3 deaths within a minute (core 2, database 1); stopping',
    );
  });

  test('counts a start that fails as a death', async () => {
    const { log, core } = await stage(3);
    core.mayStart = Promise.reject(new Error('it did not start'));
    core.mayStart.catch(() => undefined);
    core.die();
    await until(() => log.includes('gave up'));
    expect(log.filter((line) => line.includes('starting it again'))).toHaveLength(2);
  });

  test('stops in reverse, and while one stops what it needs is started again', async () => {
    const { log, supervisor, database, core } = await stage();
    core.mayStop = until(() => again(log, 'database'));
    const stopped = supervisor.stop();
    database.die();
    await stopped;
    expect(log.filter((line) => / (starts|stops)$/.test(line))).toEqual([
      'database starts',
      'core stops',
      'database stops',
    ]);
  });

  test('starts nothing again that has been stopped', async () => {
    const { log, supervisor, core } = await stage();
    await supervisor.stop();
    core.die();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(log).toEqual(['core stops', 'database stops']);
  });
});
