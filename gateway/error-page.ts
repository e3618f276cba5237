import { documentationUrl, type ErrorCode, errors } from '@perennial/schemas/errors.ts';
import type { Release } from '@perennial/schemas/history.ts';
import { errorBody, Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { ListenOptions, UnreadableAnswer } from '@perennial/schemas/platform/http/listener.ts';
import { newId } from '@perennial/schemas/platform/ids.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { originForm } from './exchange.ts';
import { commonHeaders } from './version/headers.ts';
import type { NameVersion } from './version/middleware.ts';

/**
 * The answer to a request that no exchange was opened for.
 * @param semver what `meta.version` says.
 */
export function errorPage(code: ErrorCode, semver: string): UnreadableAnswer {
  const requestId = newId('req');
  return {
    headers: { 'x-request-id': requestId, ...commonHeaders },
    body: JSON.stringify({
      requestId,
      timestamp: new Date().toISOString(),
      meta: { processingTimeMs: 0, version: semver },
      error: { code, message: errors[code].message, details: [], documentation_url: documentationUrl(code) },
    }),
  };
}

const TARGET = /^[A-Za-z]{1,20} +(\S+)/;

/**
 * The same in the version that the request names, as far as it can be made out from what there is of it.
 * @param newest the release whose shape is used where none can.
 */
export function createUnreadablePage(
  translator: Translator,
  nameVersion: NameVersion,
  newest: Release,
): ListenOptions['unreadable'] {
  return (code, read) => {
    const path = originForm(TARGET.exec(read)?.[1] ?? '/').split('?', 1)[0] as string;
    const header = (name: string): string | undefined => new RegExp(`^${name}:([^\\r\\n]*)`, 'im').exec(read)?.[1];
    const named = nameVersion({
      path,
      serviceVersion: header('service-version'),
      semverHeader: header('x-service-version'),
    });
    const { id, semver } = named?.standing.release ?? newest;
    const { error, status } = translator.error(id, errorBody(new Fault(code)));
    const requestId = newId('req');
    return {
      ...(status === undefined ? {} : { status }),
      headers: { 'x-request-id': requestId, ...(named?.headers ?? commonHeaders) },
      body: JSON.stringify({
        requestId,
        timestamp: new Date().toISOString(),
        meta: { processingTimeMs: 0, version: semver },
        error,
      }),
    };
  };
}
