import { createDatabase, type Database } from '@perennial/prisma/client.ts';
import { readOrCreateKeyFile } from '@perennial/schemas/platform/key-file.ts';
import { createLogger, type Logger } from '@perennial/schemas/platform/logger.ts';
import { AnalyticsService } from './analytics/service.ts';
import { type BlobStore, DiskBlobStore } from './attachments/blob-store.ts';
import { AttachmentService } from './attachments/service.ts';
import { ComputeThread } from './compute/compute.ts';
import type { Config } from './config.ts';
import { DiagnosticService } from './diagnostics/service.ts';
import { headRelease } from './head-release.ts';
import { ImagingAnalyses } from './imaging/analyses.ts';
import type { ModelSource } from './imaging/analysis/model/models.ts';
import { ImagingService } from './imaging/service.ts';
import { ImagePool, poolLimits } from './imaging/worker/pool.ts';
import { GraphRecordsStore } from './knowledge/graph/records-store.ts';
import { loadKnowledge } from './knowledge/load.ts';
import { knowledgeVersion } from './knowledge/version.ts';
import { MedicationService } from './medications/service.ts';
import { PatientService } from './patients/service.ts';
import { diagnosticSubject } from './platform/bulk/diagnostics.ts';
import { patientSubject } from './platform/bulk/patients.ts';
import { BulkService } from './platform/bulk/service.ts';
import type { BulkSubject } from './platform/bulk/subject.ts';
import { EventStore } from './platform/events/store.ts';
import { SharedRequests } from './platform/http/shared-requests.ts';
import { Idempotency } from './platform/idempotency/service.ts';
import { JobKinds } from './platform/jobs/kinds.ts';
import { JobQueue } from './platform/jobs/queue.ts';
import { JobService } from './platform/jobs/service.ts';
import { JobWorker } from './platform/jobs/worker.ts';
import { type CoreMetrics, createCoreMetrics } from './platform/metrics.ts';
import { TableStatistics } from './platform/table-statistics.ts';
import { joiningUnits } from './platform/unit-of-work.ts';
import { RecordService } from './records/service.ts';
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
  readonly metrics: CoreMetrics;
  readonly idempotency: Idempotency;
  readonly patients: PatientService;
  readonly records: RecordService;
  readonly attachments: AttachmentService;
  readonly diagnostics: DiagnosticService;
  readonly analytics: AnalyticsService;
  readonly medications: MedicationService;
  /** The thread that holds the knowledge. */
  readonly compute: ComputeThread;
  /** What is on record of patients, for the graph. */
  readonly graphRecords: GraphRecordsStore;
  readonly events: EventStore;
  readonly subscriptions: SubscriptionService;
  readonly deliveries: DeliveryService;
  readonly imaging: ImagingService;
  readonly imagingAnalyses: ImagingAnalyses;
  readonly jobs: JobService;
  readonly jobWorker: JobWorker;
  readonly bulk: BulkService;
  readonly sharedRequests: SharedRequests;
  readonly statistics: TableStatistics;
  /** What can be sent in bulk. */
  readonly bulkSubjects: readonly BulkSubject[];
  /**
   * Starts the thread that reads the knowledge and compiles what is compiled at first use: seconds that no client should
   * wait for.
   * @throws ThreadFailed naming every mistake in the files.
   */
  warmUp(): Promise<void>;
}

/** Parts that a core can be given instead of its own. */
export interface CoreParts {
  readonly blobs?: BlobStore;
  readonly compute?: ComputeThread;
}

/** Composes the services: the one place where they learn of each other. */
export function createServices(config: Config, parts: CoreParts = {}): Services {
  const { blobs = new DiskBlobStore(config.attachmentsDir) } = parts;
  const logger = createLogger(config.logLevel, 'core');
  const database = joiningUnits(
    createDatabase(config.databaseUrl, {
      poolMax: config.databasePoolMax,
      applicationName: 'perennial-core',
      isScoped: true,
    }),
  );
  const secret = { current: config.internalSecret, previous: config.internalSecretPrevious };
  const compute = parts.compute ?? new ComputeThread(secret);
  const medications = new MedicationService(database, compute);
  const patients = new PatientService(database);
  const diagnostics = new DiagnosticService(database, compute, medications, secret);
  const jobQueue = new JobQueue(config.databaseUrl, logger);
  const jobs = new JobService(database, new JobKinds(), jobQueue);
  const secrets = new SubscriptionSecrets(config.secretsKey ?? readOrCreateKeyFile(config.secretsKeyFile));
  const imaging = new ImagingService(database, blobs, createImagePool(config), {
    bytesMax: config.attachmentBytesMax,
    instancesPerStudyMax: INSTANCES_PER_STUDY_MAX,
    studiesPerAccountMax: STUDIES_PER_ACCOUNT_MAX,
  });
  const statistics = new TableStatistics(database, logger);
  const bulkSubjects = [patientSubject(patients), diagnosticSubject(diagnostics)];
  return {
    logger,
    database,
    metrics: createCoreMetrics(database, config.metricsPublic),
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
    compute,
    graphRecords: new GraphRecordsStore(database),
    events: new EventStore(database),
    subscriptions: new SubscriptionService(database, secrets, { allowPrivate: config.webhookAllowPrivate }),
    deliveries: new DeliveryService(database, secrets),
    imaging,
    imagingAnalyses: new ImagingAnalyses(database, imaging, jobs, knowledgeVersion),
    jobs,
    jobWorker: new JobWorker(database, jobs, jobQueue, logger, {
      concurrency: config.jobConcurrency,
      leaseMs: config.jobLeaseMs,
    }),
    bulk: new BulkService(database, jobs, bulkSubjects, statistics, logger),
    bulkSubjects,
    warmUp: () => compute.ready(),
    sharedRequests: new SharedRequests(database),
    statistics,
  };
}

/** Threads that keep the trained models while nothing is to be done: loading them takes seconds. */
function createImagePool({ imagingModelsDir: folder }: Config): ImagePool {
  if (folder === undefined) return new ImagePool();
  const models = (): ModelSource => ({
    folder,
    conditions: new Map(loadKnowledge().conditions.map(({ id, name, icd10 }) => [id, { name, icd10 }])),
  });
  return new ImagePool({ ...poolLimits, idleMs: IDLE_MS_WITH_MODELS }, undefined, models);
}
