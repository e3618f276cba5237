import { type ErrorCode, statusOf } from '@perennial/schemas/errors.ts';
import type { Release } from '@perennial/schemas/history.ts';
import { errorBody, Fault } from '@perennial/schemas/platform/http/fault.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { OlderError } from '@perennial/translators/engine/errors.ts';
import { NotShown, TranslationFailed } from '@perennial/translators/engine/failures.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { Request, Response } from 'express';
import { exchangeOf } from './exchange.ts';
import { sendError } from './respond.ts';
import { committedTranslationFault, translationFault } from './translation-fault.ts';
import { type NameVersion, versionRequestOf } from './version/middleware.ts';

/** Answers a failure in the client's version. */
export type AnswerFault = (error: unknown, response: Response) => void;

/** Writes a fault to the client. */
export type TellFault = (fault: Fault, response: Response) => void;

/**
 * The one place where failures become answers. What is logged and what is said are separate: the log names the
 * cause by its kind, the client reads the registry's words.
 */
export function createAnswerFault(
  translator: Translator,
  newest: Release,
  nameVersion: NameVersion,
  logger: Logger,
): AnswerFault {
  return answerFaults(nameVersion, logger, (fault, response) => {
    const exchange = exchangeOf(response);
    // An error about the version itself has the newest shape: the version named may not exist.
    const release = ofVersion.has(fault.code) || !exchange.standing ? newest : exchange.standing.release;
    let older: OlderError;
    try {
      older = translator.error(release.id, errorBody(fault), exchange.operation?.id);
    } catch (failure) {
      if (!(failure instanceof TranslationFailed)) throw failure;
      // Translating the error failed too: answers with the members that errors have in every version.
      logger.error('an error could not be translated', {
        requestId: exchange.requestId,
        version: release.id,
        code: fault.code,
        change: failure.change,
      });
      const { code, message } = new Fault('translation_failed');
      older = { error: { code, message }, status: statusOf('translation_failed') };
    }
    sendError(response, older.status ?? fault.status, fault.headers, release.semver, older.error);
  });
}

/** The same, with the words of whoever tells it. */
export function answerFaults(nameVersion: NameVersion, logger: Logger, tell: TellFault): AnswerFault {
  return (error, response) => {
    // Answered already: the proxy reports some failures twice.
    if (response.writableEnded) return;
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const exchange = exchangeOf(response);
    const fault = asFault(error);
    if (fault.status >= 500) {
      const cause = fault.cause instanceof Error ? fault.cause : undefined;
      logger.error('a request failed', {
        requestId: exchange.requestId,
        operation: exchange.operation?.id,
        version: exchange.standing?.release.id,
        code: fault.code,
        change: fault.members.change,
        cause: cause?.name,
        // Only for our own bugs: the message of a converter could contain patient data.
        stack: fault.code === 'internal_error' ? cause?.stack?.split('\n').slice(1).join('\n') : undefined,
      });
    }
    if (!exchange.standing && unusable.has(fault.code)) {
      const named = nameVersion(versionRequestOf(exchange.path, response.req.headers));
      exchange.standing = named?.standing;
      exchange.headers = named?.headers ?? exchange.headers;
    }
    tell(fault, response);
  };
}

/** Codes of requests that are refused before their version is determined. */
const unusable: ReadonlySet<ErrorCode> = new Set(['request_malformed', 'expectation_failed']);

/** About the version itself. */
const ofVersion: ReadonlySet<ErrorCode> = new Set(['version_unknown', 'version_sunset']);

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  // What the version does not have, is not there for it.
  if (error instanceof NotShown) return new Fault('not_found', { cause: error });
  if (error instanceof TranslationFailed) return translationFault(error);
  return new Fault('internal_error', { cause: error });
}

/**
 * What to tell of an answer that could not be translated: of a write, that it was carried out, and which object it is
 * about. @param data of the answer, as the service gave it.
 */
export function failedAnswer(error: unknown, { method }: Request, data: unknown): unknown {
  if (!(error instanceof TranslationFailed) || method === 'GET' || method === 'HEAD') return error;
  const id = isObject(data) && typeof data['id'] === 'string' ? data['id'] : undefined;
  return committedTranslationFault(error, id);
}
