import { setTimeout as sleep } from 'node:timers/promises';

/** A part of the service that runs. */
export interface Running {
  readonly url: string;
  /** Resolves with the reason when it ends without having been stopped. */
  readonly failed: Promise<string>;
  /** Asks it to end and resolves when it has. */
  stop(): Promise<void>;
}

/** A part of the service that can be started, again and again. */
export interface Part {
  readonly name: string;
  /** @throws when it does not come up. */
  start(): Promise<Running>;
  /** Whether the others cannot start, or stop in order, without it: so it is started again even while they stop. */
  readonly isNeededByAll?: boolean;
  /** Is told when it has died, before it is started again. */
  readonly died?: () => Promise<void>;
  /** Is told when it has been started again. */
  readonly revived?: (running: Running) => Promise<void>;
}

export interface SupervisorOptions {
  /** So many deaths of all parts together within a minute end everything. */
  readonly deathsMax: number;
  /** Is told what happens, a line each. */
  readonly say: (line: string) => void;
  /** Is told once, when everything is to be stopped. */
  readonly gaveUp: () => void;
}

interface Kept {
  readonly part: Part;
  running: Running;
  /** Resolves when it runs again, or never will. */
  reviving: Promise<void> | undefined;
  isEnding: boolean;
}

const WINDOW_MS = 60_000;
/** Before a part is started again the second time within the window; twice as much each time after. */
const BACKOFF_MS = 250;

/**
 * Starts parts one after the other, starts those again that die, and stops all in reverse. A part is started again only
 * when what all need runs. What dies too often is not started any more: then everything is to be stopped.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #kept: Kept[] = [];
  readonly #deaths: { readonly name: string; readonly at: number }[] = [];
  #isStopping = false;
  #hasGivenUp = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** @throws when the part does not come up, or everything is stopped meanwhile. */
  async start(part: Part): Promise<Running> {
    const running = await part.start();
    if (this.#isStopping) {
      await running.stop();
      throw new Error('stopped while starting');
    }
    const kept: Kept = { part, running, reviving: undefined, isEnding: false };
    this.#kept.push(kept);
    this.#watch(kept);
    return running;
  }

  /** Stops a part and starts it anew, because what it was told at its start is no longer true. */
  async renew(name: string): Promise<void> {
    const kept = this.#kept.find(({ part }) => part.name === name);
    if (!kept || kept.reviving || this.#isStopping) return;
    await kept.running.stop();
    await this.#revive(kept, undefined);
  }

  /** Stops all parts, the last one first. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const kept of this.#kept.toReversed()) {
      kept.isEnding = true;
      await kept.reviving;
      await kept.running.stop();
    }
  }

  #watch(kept: Kept): void {
    void kept.running.failed.then((reason) => this.#revive(kept, reason));
  }

  /** Starts a part again. @param reason why it died; undefined when it was stopped. */
  async #revive(kept: Kept, reason: string | undefined): Promise<void> {
    if (this.#isOver(kept)) return;
    let isRevived = false;
    kept.reviving = (async () => {
      isRevived = await this.#tryToRevive(kept, reason);
    })();
    await kept.reviving;
    kept.reviving = undefined;
    if (isRevived) await kept.part.revived?.(kept.running);
  }

  async #tryToRevive(kept: Kept, reason: string | undefined): Promise<boolean> {
    const { part } = kept;
    if (reason !== undefined) await part.died?.();
    for (let why = reason; ; ) {
      if (why !== undefined) {
        this.#deaths.push({ name: part.name, at: Date.now() });
        const recent = this.#recentDeaths();
        if (recent.length >= this.#options.deathsMax) {
          this.#giveUp(`${part.name}: ${why}`);
          return false;
        }
        this.#options.say(`${part.name}: ${why}; starting it again`);
        await this.#pause(kept, recent.filter(({ name }) => name === part.name).length);
      }
      await Promise.all(this.#neededBy(kept).map(({ reviving }) => reviving));
      if (this.#isOver(kept)) return false;
      try {
        kept.running = await part.start();
        break;
      } catch (error) {
        why = error instanceof Error ? error.message : String(error);
      }
    }
    this.#watch(kept);
    this.#options.say(`${part.name}: runs again`);
    return true;
  }

  #neededBy(kept: Kept): readonly Kept[] {
    return this.#kept.filter((each) => each !== kept && each.part.isNeededByAll === true);
  }

  /** Nobody needs the part any more. */
  #isOver({ part, isEnding }: Kept): boolean {
    return this.#hasGivenUp || isEnding || (this.#isStopping && part.isNeededByAll !== true);
  }

  async #pause(kept: Kept, deaths: number): Promise<void> {
    const until = Date.now() + (deaths < 2 ? 0 : BACKOFF_MS * 2 ** (deaths - 2));
    while (Date.now() < until && !this.#isOver(kept)) await sleep(50);
  }

  #recentDeaths(): readonly { readonly name: string }[] {
    const since = Date.now() - WINDOW_MS;
    return this.#deaths.filter(({ at }) => at > since);
  }

  #giveUp(reason: string): void {
    if (this.#hasGivenUp || this.#isStopping) return;
    this.#hasGivenUp = true;
    const deaths = this.#recentDeaths();
    const names = [...new Set(deaths.map(({ name }) => name))];
    const told = names.map((each) => `${each} ${deaths.filter(({ name }) => name === each).length}`).join(', ');
    this.#options.say(
      `${reason}; not started again, because of ${deaths.length} deaths within a minute (${told}); stopping`,
    );
    this.#options.gaveUp();
  }
}
