import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { createLogger, type Logger } from '@perennial/schemas/http/logger.ts';
import { AnalyticsService } from './analytics/service.ts';
import { type BlobStore, DiskBlobStore } from './attachments/blob-store.ts';
import { AttachmentService } from './attachments/service.ts';
import { diagnosticSubject } from './bulk/diagnostics.ts';
import { patientSubject } from './bulk/patients.ts';
import { BulkService } from './bulk/service.ts';
import type { BulkSubject } from './bulk/subject.ts';
import type { Config } from './config.ts';
import { createEngine } from './diagnostics/engine.ts';
import { DiagnosticService } from './diagnostics/service.ts';
import { EventStore } from './events/store.ts';
import { headRelease } from './head-release.ts';
import { Idempotency } from './idempotency/service.ts';
import { ImagingAnalyses } from './imaging/analyses.ts';
import type { ModelSource } from './imaging/analysis/model/models.ts';
import { ImagingService } from './imaging/service.ts';
import { ImagePool, poolLimits } from './imaging/worker/pool.ts';
import { JobKinds } from './jobs/kinds.ts';
import { JobQueue } from './jobs/queue.ts';
import { JobService } from './jobs/service.ts';
import { JobWorker } from './jobs/worker.ts';
import { loadKnowledge } from './knowledge/load.ts';
import { KnowledgeService } from './knowledge/service.ts';
import type { Knowledge } from './knowledge/types.ts';
import { lazily, once } from './lazily.ts';
import { loadMedications } from './medications/load.ts';
import { MedicationService } from './medications/service.ts';
import { PatientService } from './patients/service.ts';
import { RecordService } from './records/service.ts';
import { readOrCreateSecretsKey } from './secrets-key.ts';
import { joiningUnits } from './unit-of-work.ts';
import { DeliveryService } from './webhooks/delivery-service.ts';
import { SubscriptionSecrets } from './webhooks/secrets.ts';
import { SubscriptionService } from './webhooks/service.ts';

const ATTACHMENTS_PER_RECORD_MAX = 50;
const INSTANCES_PER_STUDY_MAX = 1_000;
const STUDIES_PER_ACCOUNT_MAX = 50_000;

const IDLE_MS_WITH_MODELS = 24 * 3_600_000;

/** Everything core is made of. */
export interface Services {
  readonly logger: Logger;
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly patients: PatientService;
  readonly records: RecordService;
  readonly attachments: AttachmentService;
  readonly diagnostics: DiagnosticService;
  readonly analytics: AnalyticsService;
  readonly medications: MedicationService;
  readonly knowledge: KnowledgeService;
  readonly events: EventStore;
  readonly subscriptions: SubscriptionService;
  readonly deliveries: DeliveryService;
  readonly imaging: ImagingService;
  readonly imagingAnalyses: ImagingAnalyses;
  readonly jobs: JobService;
  readonly jobWorker: JobWorker;
  readonly bulk: BulkService;
  /** What can be sent in bulk. */
  readonly bulkSubjects: readonly BulkSubject[];
  /**
   * Reads and checks the knowledge and compiles what is compiled at first use: seconds that no client should wait for.
   * @throws KnowledgeError, MedicationKnowledgeError naming every mistake in the files.
   */
  warmUp(): void;
}

/** Composes the services: the one place where they learn of each other. */
export function createServices(config: Config, blobs: BlobStore = new DiskBlobStore(config.attachmentsDir)): Services {
  const logger = createLogger(config.logLevel, 'core');
  const database = joiningUnits(
    createDatabase(config.databaseUrl, { poolMax: config.databasePoolMax, applicationName: 'perennial-core' }),
  );
  const conditions = once(loadKnowledge);
  const substances = once(loadMedications);
  const medications = lazily(() => new MedicationService(database, substances()));
  const knowledge = lazily(() => new KnowledgeService(conditions(), substances(), database));
  const patients = new PatientService(database);
  const engine = lazily(() => createEngine(conditions()));
  const diagnostics = new DiagnosticService(database, engine, medications, config.internalSecret);
  const jobQueue = new JobQueue(config.databaseUrl, logger);
  const jobs = new JobService(database, new JobKinds(), jobQueue);
  const secrets = new SubscriptionSecrets(config.secretsKey ?? readOrCreateSecretsKey(config.secretsKeyFile));
  const imaging = new ImagingService(database, blobs, createImagePool(config, conditions), {
    bytesMax: config.attachmentBytesMax,
    instancesPerStudyMax: INSTANCES_PER_STUDY_MAX,
    studiesPerAccountMax: STUDIES_PER_ACCOUNT_MAX,
  });
  const bulkSubjects = [patientSubject(patients), diagnosticSubject(diagnostics)];
  return {
    logger,
    database,
    idempotency: new Idempotency(database, headRelease, config.idempotencyHours),
    patients,
    records: new RecordService(database),
    attachments: new AttachmentService(database, blobs, {
      bytesMax: config.attachmentBytesMax,
      perRecordMax: ATTACHMENTS_PER_RECORD_MAX,
    }),
    diagnostics,
    analytics: new AnalyticsService(database, config.internalSecret),
    medications,
    knowledge,
    events: new EventStore(database),
    subscriptions: new SubscriptionService(database, secrets, { allowPrivate: config.webhookAllowPrivate }),
    deliveries: new DeliveryService(database, secrets),
    imaging,
    imagingAnalyses: new ImagingAnalyses(database, imaging, jobs, () => conditions().version),
    jobs,
    jobWorker: new JobWorker(database, jobs, jobQueue, logger, {
      concurrency: config.jobConcurrency,
      leaseMs: config.jobLeaseMs,
    }),
    bulk: new BulkService(database, jobs, bulkSubjects, logger),
    bulkSubjects,
    warmUp() {
      medications.resolve([]);
      engine.analyze({ patientData: { age: 40, sex: 'female', symptoms: ['headache since yesterday'] } });
      knowledge.base();
    },
  };
}

/** Threads that keep the trained models while nothing is to be done: loading them takes seconds. */
function createImagePool(config: Config, knowledge: () => Knowledge): ImagePool {
  const { imagingModelsDir: folder, imagingModelRuntime: runtime } = config;
  if (folder === undefined) return new ImagePool();
  const models = (): ModelSource => ({
    folder,
    runtime,
    conditions: new Map(knowledge().conditions.map(({ id, name, icd10 }) => [id, { name, icd10 }])),
  });
  return new ImagePool({ ...poolLimits, idleMs: IDLE_MS_WITH_MODELS }, undefined, models);
}
