import { asSystem } from '@perennial/prisma/scope.ts';
import { head } from '@perennial/schemas/contract.ts';
import { internalWebhooks } from '@perennial/schemas/internal/webhooks.ts';
import type { OperationId } from '@perennial/schemas/operation-types.ts';
import { refuseUnusable } from '@perennial/schemas/platform/http/request-flaw.ts';
import { RequestVerifier } from '@perennial/schemas/platform/internal-token.ts';
import type { Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';
import express, { type Express } from 'express';
import { analyticsHandlers } from './analytics/routes.ts';
import { attachmentHandlers } from './attachments/routes.ts';
import type { Config } from './config.ts';
import { diagnosticHandlers } from './diagnostics/routes.ts';
import { dicomwebHandlers } from './imaging/dicomweb/routes.ts';
import { imagingHandlers } from './imaging/routes.ts';
import { askedKnowledgeHandlers } from './knowledge/asked.ts';
import { medicationHandlers } from './medications/routes.ts';
import { patientHandlers } from './patients/routes.ts';
import { bulkHandlers } from './platform/bulk/routes.ts';
import { eventHandlers } from './platform/events/routes.ts';
import { answerFaults } from './platform/http/answer-faults.ts';
import { authenticate, nameInstance, tokenOf } from './platform/http/authenticate.ts';
import { openExchange } from './platform/http/exchange.ts';
import type { HandlersFor } from './platform/http/handler.ts';
import { answerProbes } from './platform/http/health.ts';
import { logRequests } from './platform/http/log-requests.ts';
import { serveOperations } from './platform/http/operations.ts';
import { jobHandlers } from './platform/jobs/routes.ts';
import { hasRoom } from './platform/storage-room.ts';
import { recordHandlers } from './records/routes.ts';
import type { Services } from './services.ts';
import { internalLimits, internalWebhookHandlers, onlyForDelivery } from './webhooks/internal.ts';
import { webhookHandlers } from './webhooks/routes.ts';

/** The map of core: what a request passes through, in order, and the categories that answer it. */
export function createApp(
  config: Config,
  services: Services,
  isStopping: () => boolean,
  tracing?: Tracing | undefined,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const secret = { current: config.internalSecret, previous: config.internalSecretPrevious };
  const verifier = new RequestVerifier(secret);

  app.use(openExchange(tracing));
  app.use(services.metrics.handler);
  app.use(nameInstance(verifier));
  app.use(refuseUnusable);
  app.use(logRequests(services.logger));
  app.use(
    answerProbes({
      isReady: () => takesWrites(services),
      hasRoom: () => hasRoom(config.attachmentsDir),
      isStopping,
      isTrusted: (request) => typeof verifier.take(tokenOf(request), request.method, request.originalUrl) !== 'string',
    }),
  );
  app.use(authenticate(verifier, services.sharedRequests));
  app.use(
    '/internal/webhooks',
    onlyForDelivery(),
    serveOperations(
      internalWebhooks,
      [internalWebhookHandlers(services.deliveries)],
      internalLimits,
      services.idempotency,
      services.logger,
    ),
  );
  const handlers: HandlersFor<OperationId> = {
    ...patientHandlers(services.patients, secret),
    ...recordHandlers(services.records, secret),
    ...attachmentHandlers(services.attachments, secret),
    ...diagnosticHandlers(services.diagnostics, secret),
    ...analyticsHandlers(services.analytics, secret),
    ...medicationHandlers(services.medications, secret),
    ...askedKnowledgeHandlers(services.compute, services.graphRecords),
    ...jobHandlers(services.jobs, secret),
    ...imagingHandlers(services.imaging, services.imagingAnalyses, secret),
    ...dicomwebHandlers(services.imaging),
    ...webhookHandlers(services.subscriptions, services.deliveries, secret),
    ...eventHandlers(services.events, secret),
    ...bulkHandlers(services.bulk, services.bulkSubjects),
  };
  app.use(serveOperations(head, [handlers], config, services.idempotency, services.logger));
  app.use(answerFaults(services.logger));
  return app;
}

/** A server that was demoted, or is being restored, answers and takes nothing. */
async function takesWrites({ database }: Services): Promise<boolean> {
  const rows = await asSystem(
    'health',
    () => database.$queryRaw<{ writable: boolean }[]>`
      SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable`,
  );
  return rows[0]?.writable === true;
}
