import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@perennial/schemas/errors.ts';
import { errorBody, Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Contexts } from '@perennial/translators/engine/evaluate.ts';
import { NotShown } from '@perennial/translators/engine/failures.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import { EventStreamTransform, leftOut, NdjsonTransform, StreamFailure } from '@perennial/translators/engine/stream.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Response } from 'express';
import { exchangeOf } from '../exchange.ts';
import { changeOf } from '../translation-fault.ts';

/** Passes a stream of core on to the client, each element in the client's version. */
export type PipeElements = (
  source: Readable,
  response: Response,
  plan: Plan,
  contexts: Contexts | undefined,
) => Promise<void>;

/** What a stream ends with when it fails, in the client's version. */
export type ErrorElement = (plan: Plan, code: ErrorCode, change: string | undefined) => unknown;

/** An error of ours as an element. */
export function errorElements(translator: Translator): ErrorElement {
  return (plan, code, change) =>
    translator.error(plan.release, errorBody(new Fault(code, { members: changeOf({ change }) }))).error;
}

/**
 * @param elementBytesMax largest element that is held in memory.
 * @param onFailure is told of every stream that fails.
 */
export function createPipeElements(
  errorElement: ErrorElement,
  elementBytesMax: number,
  logger: Logger,
  onFailure: (failure: StreamFailure) => void = () => undefined,
): PipeElements {
  return async (source, response, plan, contexts) => {
    const exchange = exchangeOf(response);
    const options = {
      elementBytesMax,
      translate: (element: unknown, event: string | undefined) => {
        try {
          return event === undefined || plan.head.response.events === undefined
            ? plan.response(element, contexts)
            : plan.event(event, element);
        } catch (error) {
          // What the version does not have is no part of its stream.
          if (error instanceof NotShown) return leftOut;
          throw error;
        }
      },
      nameOf: (event: string) => plan.eventName(event),
      errorElement: (failure: StreamFailure) => errorElement(plan, codeOf(failure), failure.change),
    };
    const transform =
      plan.operation.response.mediaType === 'text/event-stream'
        ? new EventStreamTransform(options)
        : new NdjsonTransform(options);
    transform.once('failure', (failure: StreamFailure) => {
      exchange.errorCode = codeOf(failure);
      onFailure(failure);
      logger.error('a stream failed', {
        requestId: exchange.requestId,
        operation: plan.operation.id,
        version: plan.release,
        reason: failure.reason,
        change: failure.change,
      });
      // Nothing more is passed on, so core's answer is cancelled.
      source.destroy();
    });
    // A source that breaks off is told to the client as an element, and is not an error of the pipe.
    source.once('error', (error) => transform.fail(new StreamFailure('upstream', error)));
    source.pipe(transform);
    // Whoever leaves first ends the other: a reader that is gone ends core's answer as well.
    response.once('close', () => source.destroy());
    await pipeline(transform, response);
  };
}

function codeOf(failure: StreamFailure): ErrorCode {
  return failure.reason === 'translation' ? 'translation_failed' : 'core_failed';
}
