import { HEAD_RELEASE_HEADER } from '@perennial/schemas/idempotency.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { parseRef } from '@perennial/schemas/variants.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { committedTranslationFault } from '../translation-fault.ts';
import { eventsIn } from '../webhooks/event-in.ts';
import type { CoreHeaders } from './answer.ts';

/**
 * How an answer of core that was kept when another release was head (Idempotency-Key) is read: undefined for every
 * answer that is of head, which goes its usual way.
 * @throws {Fault} `translation_failed` when the client's version came later and has another shape: the request was
 *   carried out, and its answer can be read in the version it was asked for in.
 * @throws {Fault} `core_failed`
 */
export type ReadKept = (plan: Plan, headers: CoreHeaders) => ((data: unknown) => unknown) | undefined;

/** Translation of a kept answer starts at the release it was written at, and not at head. */
export function createReadKept(translator: Translator): ReadKept {
  const levels = new Map(translator.catalogue.releases.map(({ id, level }) => [id, level]));
  return (plan, headers) => {
    const written = headers[HEAD_RELEASE_HEADER];
    if (written === undefined || written === translator.headRelease) return undefined;
    const newer = typeof written === 'string' ? levels.get(written) : undefined;
    if (typeof written !== 'string' || newer === undefined)
      throw new Fault('core_failed', { cause: new Error('core kept an answer of a release that is not known here') });
    const { ref } = plan.head.response;
    const own = levels.get(plan.release) as number;
    if (ref === undefined) return (data) => data;
    if (own <= newer) return (data) => translator.document(ref, written, plan.release, data);
    // Events are read for as long as they are kept, and one whose shape has changed must not hide the others.
    if (parseRef(ref).resource === 'Event') return (data) => eventsIn(translator, written, plan.release, data);
    if (translator.runs({ older: newer, newer: own }, ref).length === 0) return (data) => data;
    const reason = new Error(`the answer was written at ${written}, before this version`);
    throw committedTranslationFault(new TranslationFailed(undefined, reason));
  };
}
