import { head } from '@perennial/schemas/contract.ts';
import { internalWebhooks } from '@perennial/schemas/internal/webhooks.ts';
import express, { type Express } from 'express';
import { analyticsHandlers } from './analytics/routes.ts';
import { attachmentHandlers } from './attachments/routes.ts';
import { bulkHandlers } from './bulk/routes.ts';
import type { Config } from './config.ts';
import { diagnosticHandlers } from './diagnostics/routes.ts';
import { eventHandlers } from './events/routes.ts';
import { answerFaults } from './http/answer-faults.ts';
import { authenticate, TokenVerifier } from './http/authenticate.ts';
import { openExchange } from './http/exchange.ts';
import { answerProbes } from './http/health.ts';
import { logRequests } from './http/log-requests.ts';
import { serveOperations } from './http/operations.ts';
import { dicomwebHandlers } from './imaging/dicomweb/routes.ts';
import { imagingHandlers } from './imaging/routes.ts';
import { jobHandlers } from './jobs/routes.ts';
import { knowledgeGraphHandlers } from './knowledge/graph/routes.ts';
import { knowledgeHandlers } from './knowledge/routes.ts';
import { medicationHandlers } from './medications/routes.ts';
import { patientHandlers } from './patients/routes.ts';
import { recordHandlers } from './records/routes.ts';
import type { Services } from './services.ts';
import { internalLimits, internalWebhookHandlers, onlyForDelivery } from './webhooks/internal.ts';
import { webhookHandlers } from './webhooks/routes.ts';

/** The map of core: what a request passes through, in order, and the categories that answer it. */
export function createApp(config: Config, services: Services, isStopping: () => boolean): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);

  app.use(openExchange());
  app.use(logRequests(services.logger));
  app.use(answerProbes({ isReady: () => isReachable(services), isStopping }));
  app.use(authenticate(new TokenVerifier(config.internalSecret)));
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
  const handlers = [
    patientHandlers(services.patients, config.internalSecret),
    recordHandlers(services.records, config.internalSecret),
    attachmentHandlers(services.attachments, config.internalSecret),
    diagnosticHandlers(services.diagnostics, config.internalSecret),
    analyticsHandlers(services.analytics, config.internalSecret),
    medicationHandlers(services.medications, config.internalSecret),
    knowledgeHandlers(services.knowledge, config.internalSecret),
    knowledgeGraphHandlers(services.knowledge, config.internalSecret),
    jobHandlers(services.jobs, config.internalSecret),
    imagingHandlers(services.imaging, services.imagingAnalyses, config.internalSecret),
    dicomwebHandlers(services.imaging),
    webhookHandlers(services.subscriptions, services.deliveries, config.internalSecret),
    eventHandlers(services.events, config.internalSecret),
    bulkHandlers(services.bulk, services.bulkSubjects),
  ];
  app.use(serveOperations(head, handlers, config, services.idempotency, services.logger));
  app.use(answerFaults(services.logger));
  return app;
}

async function isReachable({ database }: Services): Promise<boolean> {
  await database.$queryRaw`SELECT 1`;
  return true;
}
