import type { Logger } from '@perennial/schemas/platform/logger.ts';
import { TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';

/** Validates a translated answer against the schema of its version. */
export type AnswerCheck = (plan: Plan, data: unknown) => void;

/**
 * Checks a share of the answers. In tests a refused answer is an error; in production it is only reported, because a
 * write that succeeded is not turned into a failure.
 */
export function createAnswerCheck(
  translator: Translator,
  share: number,
  onFailure: 'report' | 'refuse',
  logger: Logger,
): AnswerCheck {
  let due = 0;
  return (plan, data) => {
    const { ref } = plan.operation.response;
    due += share;
    if (due < 1 || ref === undefined) return;
    due -= 1;
    const faults = translator.validator(plan.release).body(ref, data);
    if (faults.length === 0) return;
    logger.error('an answer is not what its version promises', {
      operation: plan.operation.id,
      version: plan.release,
      changes: plan.changes,
      // Codes and places, never values.
      faults: faults.slice(0, 5).map(({ code, pointer }) => `${code} ${pointer}`),
    });
    if (onFailure === 'refuse') throw new TranslationFailed(plan.changes.at(-1), new Error('refused by its schema'));
  };
}
