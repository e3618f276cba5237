import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { ServiceDate } from '../version/service-date.ts';
import type { CoreWebhooks } from './core-webhooks.ts';

/** The end of the versions that subscriptions are pinned to. */
export interface Sunset {
  /** Whether the release has reached its sunset, or does not exist. */
  isReached(release: string): boolean;
  /** At the start and on every new day of the service: pauses what is pinned to releases that have ended. */
  pauseWhenDue(): Promise<void>;
}

export function createSunset(serviceDate: ServiceDate, core: CoreWebhooks, logger: Logger): Sunset {
  let done: string | undefined;
  return {
    isReached(release) {
      const standing = serviceDate.standings().find((each) => each.release.id === release);
      return standing === undefined || standing.state === 'sunset';
    },
    async pauseWhenDue() {
      const day = serviceDate.day();
      if (day === done) return;
      const ended = serviceDate.standings().filter(({ state }) => state === 'sunset');
      const paused = ended.length === 0 ? 0 : await core.pauseSunset(ended.map(({ release }) => release.id));
      if (paused > 0) logger.warn('webhook subscriptions paused: their version has reached its sunset', { paused });
      done = day;
    },
  };
}
