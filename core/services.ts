import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { Fault } from '@perennial/schemas/http/fault.ts';
import { createLogger, type Logger } from '@perennial/schemas/http/logger.ts';
import type { Config } from './config.ts';
import type { DiagnosticEngine } from './diagnostics/routes.ts';
import { PatientService } from './patients/service.ts';

/** Everything core is made of. */
export interface Services {
  readonly logger: Logger;
  readonly database: Database;
  readonly patients: PatientService;
  readonly diagnostics: DiagnosticEngine;
}

/** Composes the services: the one place where they learn of each other. */
export function createServices(config: Config): Services {
  const logger = createLogger(config.logLevel, 'core');
  const database = createDatabase(config.databaseUrl, {
    poolMax: config.databasePoolMax,
    applicationName: 'perennial-core',
  });
  // Until the inference engine is in the tree.
  const diagnostics: DiagnosticEngine = {
    checkPlausibility: () => [],
    analyze: () => {
      throw new Fault('unavailable');
    },
  };
  return { logger, database, patients: new PatientService(database), diagnostics };
}
