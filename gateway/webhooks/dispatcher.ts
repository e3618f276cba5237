import type { ClaimedDelivery } from '@perennial/schemas/internal/webhooks.ts';
import type { SubscriptionId } from '@perennial/schemas/platform/ids.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { NotShown, TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { CoreWebhooks } from './core-webhooks.ts';
import type { DeliveryQueue, Lane } from './queue.ts';
import { type Rendered, render } from './render.ts';
import type { Sunset } from './sunset.ts';

/** What the dispatcher works with. */
export interface DispatcherOptions {
  readonly core: CoreWebhooks;
  readonly queue: DeliveryQueue;
  readonly translator: Translator;
  readonly sunset: Sunset;
  readonly logger: Logger;
  /** Counts what a change could not translate. */
  readonly failed: (error: TranslationFailed) => void;
}

const BATCH = 100;
/** Longer than a turn takes: what a killed process had claimed is claimed again after it. */
const LEASE_MS = 15_000;

/**
 * One turn: takes deliveries that wait, renders them in their subscriptions' versions and queues them.
 *
 * A process can be killed anywhere in it. Until core has been told that a delivery is queued it waits there, and is
 * claimed again with a newer ticket; the job that was queued with the older one then finds that it is obsolete.
 * @returns whether there may be more.
 */
export async function dispatch(options: DispatcherOptions): Promise<boolean> {
  const { core, queue, sunset } = options;
  await sunset.pauseWhenDue();
  const claimed = await core.claim(BATCH, LEASE_MS);
  if (claimed.length === 0) return false;
  const retired = claimed.filter(({ version }) => sunset.isReached(version));
  // Those stay with core, which holds them: their subscriptions are paused.
  if (retired.length > 0) await core.pauseSunset([...new Set(retired.map(({ version }) => version))]);
  const rendered = claimed.filter((each) => !retired.includes(each)).map((each) => tryRender(options, each));
  const laneOf = new Map(claimed.map(({ id, is_slow: isSlow }): [string, Lane] => [id, isSlow ? 'slow' : 'prompt']));
  const subscriptionOf = new Map(claimed.map(({ id, subscription_id: subscriptionId }) => [id, subscriptionId]));
  for (const lane of ['prompt', 'slow'] as const) {
    const jobs = rendered
      .filter(({ id, result }) => result === 'queued' && laneOf.get(id) === lane)
      .map(({ id, ticket }) => ({ deliveryId: id, ticket, subscriptionId: subscriptionOf.get(id) as SubscriptionId }));
    if (jobs.length > 0) await queue.add(lane, jobs);
  }
  if (rendered.length > 0) await core.queued(rendered);
  // Fewer than a batch are given where events are long.
  return true;
}

/** An event that cannot be rendered fails by itself, and holds up no other. */
function tryRender({ translator, logger, failed }: DispatcherOptions, delivery: ClaimedDelivery): Rendered {
  try {
    return render(translator, delivery);
  } catch (error) {
    const { id, ticket, subscription_id: subscription, version } = delivery;
    // What the version does not have is not told to it.
    if (error instanceof NotShown) return { id, ticket, result: 'skipped' };
    if (error instanceof TranslationFailed) failed(error);
    const change = error instanceof TranslationFailed ? error.change : undefined;
    const { name } = error as Error;
    logger.error('an event could not be rendered', { delivery: id, subscription, version, change, error: name });
    return { id, ticket, result: 'failed' };
  }
}
