import type { Operation } from '@perennial/schemas/operation.ts';
import { invalidAt } from '@perennial/schemas/platform/http/fault.ts';
import { isObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import { type Exchange, known } from '../exchange.ts';
import type { ServiceDate } from '../version/service-date.ts';

/** The body of an operation that pins an object to a release, with the release filled in and checked. */
export type PinBody = (operation: Operation, exchange: Exchange, body: unknown) => unknown;

/**
 * What is created without a version is pinned to the one that the request was served in. Only a release can be named
 * that has the operation itself and can be called today; a preview, only from within it.
 */
export function createPins(translator: Translator, serviceDate: ServiceDate): PinBody {
  const isAllowed = (release: string, served: string, operationId: string): boolean => {
    const standing = serviceDate.standings().find((each) => each.release.id === release);
    if (!standing || standing.state === 'sunset') return false;
    if (standing.state === 'preview' && release !== served) return false;
    return translator.plan(release, operationId) !== undefined;
  };
  return ({ id, method, pin }, exchange, body) => {
    if (pin === undefined || !isObject(body)) return body;
    const served = known(exchange.standing, 'version').release.id;
    const named = body[pin];
    // A patch that does not name it leaves it as it is.
    if (named === undefined || named === null) return method === 'POST' ? { ...body, [pin]: served } : body;
    if (!isAllowed(named as string, served, id)) throw invalidAt(`/${pin}`, 'not_allowed_value');
    return body;
  };
}
