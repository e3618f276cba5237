import type { Agent } from 'node:http';
import type { Database } from '@perennial/prisma/client.ts';
import type { History } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import { refuseUnusable } from '@perennial/schemas/platform/http/request-flaw.ts';
import type { RequestSigner } from '@perennial/schemas/platform/internal-token.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';
import type { Translator } from '@perennial/translators/engine/translator.ts';
import type { RequestHandler } from 'express';
import { logAccess } from './access-log.ts';
import { accountPages } from './account-pages.ts';
import { adminPages } from './admin-pages.ts';
import { createAnswerFault } from './answer-fault.ts';
import { createRecordAccess, requireAudit } from './audit/middleware.ts';
import { checkPurpose } from './audit/origin.ts';
import type { AuditTrail } from './audit/trail.ts';
import { createClientAddress } from './client-address.ts';
import { compose } from './compose.ts';
import type { GatewayConfig } from './config.ts';
import { contractPages } from './contract-pages.ts';
import type { KeyStore } from './credentials/key-store.ts';
import { admitCredential, authenticate, takeCredential } from './credentials/middleware.ts';
import type { Tokens } from './credentials/oauth/tokens.ts';
import { endSpan } from './end-span.ts';
import { type Exchange, exchangeOf, known, openExchange } from './exchange.ts';
import { type ExpressApp, expressApp } from './express-app.ts';
import { createAnswerCheck } from './forward/answer-check.ts';
import type { CoreClient } from './forward/core-client.ts';
import { createCoreWire } from './forward/core-wire.ts';
import type { Cores } from './forward/cores.ts';
import { createDirect, isWhole } from './forward/direct.ts';
import { createPipeElements, errorElements } from './forward/elements.ts';
import { createSpread } from './forward/failover.ts';
import { createReadKept } from './forward/kept-answer.ts';
import { createPassThrough } from './forward/pass-through.ts';
import { createPlanQuery } from './forward/query.ts';
import { createTranslated } from './forward/translated.ts';
import type { Lifecycle } from './lifecycle/store.ts';
import { createRefusalLimit, limitRate, type OwnRates, type RateCounter } from './limits.ts';
import { countFaults, type Metrics } from './metrics.ts';
import type { Mirror } from './mirror/mirror.ts';
import { portalPages } from './portal/pages.ts';
import { portal } from './portal/portal.ts';
import { createSessions } from './portal/session.ts';
import { wantsProblem, withoutProblem } from './problem.ts';
import type { Readiness } from './readiness.ts';
import { recordOutcome } from './record-outcome.ts';
import { putCommonHeaders } from './respond.ts';
import { createAddressAt, createRoutes, route } from './routing.ts';
import { servicePages } from './service-pages.ts';
import type { UsageCounters } from './usage/counters.ts';
import { createReports } from './usage/reports.ts';
import { createWritePin, pinAtFirstCall } from './version/first-call.ts';
import { createNameVersion, refuseSunset, resolveNamedVersion, resolvePinnedVersion } from './version/middleware.ts';
import type { ServiceDate } from './version/service-date.ts';
import { createPins } from './webhooks/pins.ts';

/** What the gateway is made of; composed in `main.ts`, and in tests. */
export interface GatewayParts {
  readonly config: GatewayConfig;
  readonly history: History;
  readonly serviceDate: ServiceDate;
  readonly translator: Translator;
  readonly database: Database;
  readonly keys: KeyStore;
  readonly core: CoreClient;
  readonly cores: Cores;
  /** Whether the gateway can do its work. */
  readonly readiness: () => Promise<Readiness>;
  /** Connections of the pass-through to core. */
  readonly coreAgent: Agent;
  /** What requests to core are signed with. */
  readonly signer: RequestSigner;
  readonly rateLimiter: RateCounter;
  readonly ownRates: OwnRates;
  readonly lifecycle: Lifecycle;
  /** Undefined where no other issuer is trusted. */
  readonly tokens?: Tokens | undefined;
  /** Told of each key that is used. */
  readonly noteUse: (keyId: string) => void;
  readonly audit: AuditTrail;
  readonly usage: UsageCounters;
  readonly metrics: Metrics;
  /** Undefined where nobody asks for traces. */
  readonly tracing?: Tracing | undefined;
  /** Sends a share of reads to a draft as well. */
  readonly mirror: Mirror | undefined;
  readonly logger: Logger;
}

/** The gateway: this is the order in which a request is dealt with. */
export function createApp(parts: GatewayParts): ExpressApp {
  const { config, history, serviceDate, translator, database, core, coreAgent, rateLimiter, logger } = parts;
  const { cores, readiness, keys, signer, audit, usage, metrics, lifecycle } = parts;
  const [newest] = newestFirst(history);
  if (!newest) throw new Error('the history names no release');

  const routes = createRoutes(translator);
  const nameVersion = createNameVersion(serviceDate, routes.roots);
  const answerFault = countFaults(metrics, createAnswerFault(translator, newest, nameVersion, logger));
  const refusals = createRefusalLimit(config.refusalsPerMinute);
  const verifyKey = authenticate(keys, refusals, logger, parts.noteUse, parts.tokens);
  const limits = { bodyBytesMax: config.bodyBytesMax, bodyDepthMax: config.bodyDepthMax };
  const readKept = createReadKept(translator);
  const reports = createReports(database, translator, serviceDate);
  const check = createAnswerCheck(translator, config.answerCheckShare, config.answerCheck, logger);
  const wire = createCoreWire({
    check,
    readKept,
    addressAt: createAddressAt(routes, translator),
    translated: metrics.translated,
    answerBytesMax: config.answerBytesMax,
  });

  return expressApp(
    compose([
      openExchange(
        createClientAddress(config.trustProxy),
        [
          logAccess(logger),
          recordOutcome(metrics, usage, createRecordAccess(audit, routes, translator.headRelease)),
          ...(parts.tracing ? [endSpan()] : []),
        ],
        undefined,
        parts.tracing,
      ),
      refuseUnusable,
      answerOptions(),
      portal({
        pages: portalPages({
          history,
          serviceDate,
          translator,
          readiness,
          demoFile: config.demoFile,
          reports,
          flushUsage: usage.flush,
        }),
        sessions: createSessions(config.internalSecret),
        keys,
        authenticate: verifyKey,
        logger,
      }),
      servicePages(serviceDate, readiness, newest.semver, translator),
      contractPages(serviceDate, translator, newest.semver),
      accountPages({ authenticate: verifyKey, usage, reports, serviceDate, newestSemver: newest.semver }),
      adminPages({
        authenticate: verifyKey,
        usage,
        reports,
        metrics,
        metricsPublic: config.metricsPublic,
        translator,
        newestSemver: newest.semver,
        database,
        history,
        serviceDate,
        lifecycle,
        audit,
      }),

      // Who asks for which version, and may they.
      takeCredential(),
      ...(parts.mirror ? [parts.mirror.observe] : []),
      resolveNamedVersion(serviceDate, routes.roots),
      refuseSunset(serviceDate, lifecycle),
      verifyKey,
      resolvePinnedVersion(serviceDate),
      refuseSunset(serviceDate, lifecycle),
      admitCredential((release) => translator.behaviours(release)),
      pinAtFirstCall(createWritePin(database), serviceDate, logger),
      limitRate(rateLimiter, parts.ownRates, config.ratePerMinute),

      // What is asked for, and the exchange with core.
      route(routes, translator),
      checkPurpose(),
      requireAudit(audit, logger),
      negotiate(),
      forward(
        createDirect({ core, limits, answerBytesMax: config.answerBytesMax, readKept }),
        createSpread(cores, (core, takeElsewhere) =>
          createPassThrough({
            coreUrl: core.url,
            agent: coreAgent,
            signer,
            identity: core.identity,
            wire,
            timeoutMs: config.coreTimeoutMs,
            bodyBytesMax: config.bodyBytesMax,
            uploadBytesMax: config.uploadBytesMax,
            bulkBytesMax: config.bulkBytesMax,
            readKept,
            answerFault,
            takeElsewhere,
          }),
        ),
        createTranslated({
          core,
          translator,
          pinBody: createPins(translator, serviceDate),
          bulkBytesMax: config.bulkBytesMax,
          planQuery: createPlanQuery(translator, config.internalSecret),
          limits,
          wire,
          pipeElements: createPipeElements(
            errorElements(translator),
            config.elementBytesMax,
            logger,
            metrics.streamFailure,
          ),
        }),
        translator.headRelease,
      ),
    ]),
    answerFault,
  );
}

/** OPTIONS is answered before version and key: a browser asks it without either. Cross-origin use is off. */
function answerOptions(): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'OPTIONS') {
      next();
      return;
    }
    response.setHeader('allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    putCommonHeaders(response, exchangeOf(response));
    response.statusCode = 204;
    response.end();
  };
}

/** 406 when Accept rules out what the operation answers. */
function negotiate(): RequestHandler {
  return (request, response, next) => {
    const { accept: given } = request.headers;
    // Who names problems alone has said nothing of successes.
    const accept = given !== undefined && wantsProblem(request) ? withoutProblem(given) : given;
    const offered = exchangeOf(response).operation?.response.mediaType ?? 'application/json';
    // The values that nearly every client sends are recognised without parsing.
    if (accept && accept !== '*/*' && accept !== offered && offered !== '*/*') {
      if (request.accepts([offered, ...asAsked(offered, accept)]) === false) throw new Fault('not_acceptable');
    }
    next();
  };
}

/** The media type with the parameters that the client names, such as `charset=utf-8`: they rule nothing out. */
function asAsked(offered: string, accept: string): readonly string[] {
  return accept.split(',').flatMap((range) => {
    const parameters = range.split(';').slice(1);
    const named = parameters.filter((each) => !/^\s*q\s*=/i.test(each));
    return named.length === 0 ? [] : [`${offered};${named.join(';')}`];
  });
}

/** At head bodies go on as they are, JSON whole and all else as a stream; in every other version they are translated. */
function forward(
  direct: RequestHandler,
  passThrough: RequestHandler,
  translated: RequestHandler,
  headRelease: string,
): RequestHandler {
  const choose = ({ standing, operation }: Exchange): RequestHandler => {
    const asked = known(operation, 'operation');
    // Core knows no releases: bodies that name one, and documents written at another, are handled here.
    if (known(standing, 'version').release.id !== headRelease || asked.pin !== undefined || asked.atRest)
      return translated;
    return isWhole(asked) ? direct : passThrough;
  };
  return (request, response, next) => choose(exchangeOf(response))(request, response, next);
}
