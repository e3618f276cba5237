import type { Agent } from 'node:http';
import type { History, Release } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { refuseUnusable } from '@perennial/schemas/platform/http/request-flaw.ts';
import type { JsonObject } from '@perennial/schemas/platform/json-schema.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Plan } from '@perennial/translators/engine/plan.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { RequestHandler } from 'express';
import { logAccess } from '../access-log.ts';
import { answerFaults } from '../answer-fault.ts';
import { createClientAddress } from '../client-address.ts';
import { compose } from '../compose.ts';
import { anyProcess } from '../credentials/core-identity.ts';
import { exchangeOf, known, openExchange } from '../exchange.ts';
import { type ExpressApp, expressApp } from '../express-app.ts';
import type { CoreClient } from '../forward/core-client.ts';
import { createPipeElements } from '../forward/elements.ts';
import { createPassThrough } from '../forward/pass-through.ts';
import { createTranslated } from '../forward/translated.ts';
import { createAddressAt, createRoutes, routeTo } from '../routing.ts';
import { changeOf } from '../translation-fault.ts';
import {
  createHeadersOf,
  createNameVersion,
  refuseSunset,
  resolveNamedVersion,
  resolvePinnedVersion,
} from '../version/middleware.ts';
import type { ServiceDate } from '../version/service-date.ts';
import type { ForeignContract } from './contract-in.ts';
import { proxyPages } from './pages.ts';
import { problemOf, tellProblem } from './problem.ts';
import { createUpstreamQuery } from './query.ts';
import type { ProxySettings } from './settings.ts';
import { createUpstreamWire } from './upstream-wire.ts';

/** What every answer carries. */
const COMMON = { vary: 'Service-Version, X-Service-Version' };

/** What the proxy is made of. */
export interface ProxyParts {
  readonly settings: ProxySettings;
  readonly history: History;
  readonly document: JsonObject;
  readonly foreign: ForeignContract;
  readonly translator: Translator;
  readonly serviceDate: ServiceDate;
  readonly client: CoreClient;
  readonly agent: Agent;
  readonly logger: Logger;
}

/**
 * The gateway's version part in front of a service that is not ours: this is the order in which a request is dealt with.
 * Keys, limits and records are that service's own.
 */
export function createProxyApp(parts: ProxyParts): ExpressApp {
  const { settings, history, translator, foreign, serviceDate, client, agent, logger } = parts;
  const { upstream, timeoutMs, bodyBytesMax, bodyDepthMax, elementBytesMax } = settings;
  const routes = createRoutes(translator);
  const headersOf = createHeadersOf(COMMON);
  const nameVersion = createNameVersion(serviceDate, routes.roots, headersOf);
  const answerFault = answerFaults(nameVersion, logger, tellProblem);
  const wire = createUpstreamWire({
    translator,
    answers: foreign.answers,
    upstream,
    addressAt: createAddressAt(routes, translator),
  });
  const pipeElements = createPipeElements(
    (_plan, code, change) => problemOf(new Fault(code, { members: changeOf({ change }) })),
    elementBytesMax,
    logger,
  );
  const passThrough = createPassThrough({
    coreUrl: upstream.href,
    agent,
    signer: undefined,
    identity: anyProcess,
    wire,
    timeoutMs,
    bodyBytesMax,
    uploadBytesMax: settings.uploadBytesMax,
    bulkBytesMax: settings.uploadBytesMax,
    readKept: () => undefined,
    answerFault,
    takeElsewhere: () => false,
  });
  const translated = createTranslated({
    core: client,
    translator,
    planQuery: createUpstreamQuery(translator),
    pinBody: (_operation, _exchange, body) => body,
    limits: { bodyBytesMax, bodyDepthMax },
    bulkBytesMax: settings.uploadBytesMax,
    wire,
    pipeElements,
  });
  return expressApp(
    compose([
      openExchange(createClientAddress(settings.trustProxy), [logAccess(logger)], COMMON),
      refuseUnusable,
      proxyPages({ history, serviceDate, translator, document: parts.document, foreign, roots: routes.roots }),
      resolveNamedVersion(serviceDate, routes.roots, headersOf),
      refuseSunset(serviceDate),
      resolvePinnedVersion(serviceDate, headersOf),
      routeTo(routes, translator, () => undefined),
      forward(passThrough, translated, touching(translator, foreign)),
    ]),
    answerFault,
  );
}

/** What no change touches goes through as it is, in every version. */
function forward(
  passThrough: RequestHandler,
  translated: RequestHandler,
  touches: (plan: Plan) => boolean,
): RequestHandler {
  return (request, response, next) =>
    (touches(known(exchangeOf(response).plan, 'plan')) ? translated : passThrough)(request, response, next);
}

/** Whether a version differs from head in anything that an operation carries, its other answers and errors included. */
function touching(translator: Translator, { answers }: ForeignContract): (plan: Plan) => boolean {
  const known = new WeakMap<Plan, boolean>();
  const levels = new Map(translator.catalogue.releases.map(({ id, level }) => [id, level]));
  const newer = levels.get(translator.headRelease) as number;
  const find = (plan: Plan): boolean =>
    plan.touchesQuery ||
    plan.touchesBody ||
    plan.touchesResponse ||
    plan.operation.method !== plan.head.method ||
    [...(answers.get(plan.head.id)?.values() ?? [])].some(
      (ref) => translator.runs({ older: levels.get(plan.release) as number, newer }, ref).length > 0,
    );
  return (plan) => {
    let touches = known.get(plan);
    if (touches === undefined) {
      touches = find(plan);
      known.set(plan, touches);
    }
    return touches;
  };
}

/** The newest release: what is said where no version can be made out. */
export function newestOf(history: History): Release {
  const [newest] = newestFirst(history);
  if (!newest) throw new Error('the history names no release');
  return newest;
}
