import { join } from 'node:path';
import type { LogLevel } from '@perennial/schemas/platform/logger.ts';
import { type Environment, Settings } from '@perennial/schemas/platform/settings.ts';
import type { TelemetrySettings } from '@perennial/schemas/platform/telemetry/settings.ts';
import { type CoreTls, readTls } from './platform/http/tls.ts';

/** The settings of core, read once. Units come last in the names. */
export interface Config {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly databaseUrl: string;
  /** Most database connections of this process. */
  readonly databasePoolMax: number;
  /** Shared with the gateway: verifies internal tokens, signs cursors. */
  readonly internalSecret: string;
  /** The one before, while it is changed: what was made with it is still taken. */
  readonly internalSecretPrevious: string | undefined;
  /** Certificate and key to be reached by https with, and the authority whose certificates callers must show. */
  readonly tls: CoreTls | undefined;
  readonly logLevel: LogLevel;
  readonly bodyBytesMax: number;
  readonly bodyDepthMax: number;
  /** Largest body that is read element by element. */
  readonly bulkBytesMax: number;
  /** Folder that the bytes of attachments are kept in. */
  readonly attachmentsDir: string;
  readonly attachmentBytesMax: number;
  /** Folder of the trained models that look at images; undefined for none. */
  readonly imagingModelsDir: string | undefined;
  /** How long answers to requests with an Idempotency-Key are kept. */
  readonly idempotencyHours: number;
  /** Jobs that this process works on at a time. */
  readonly jobConcurrency: number;
  /** How long after its last sign of life a process is taken for dead, and its jobs for abandoned. */
  readonly jobLeaseMs: number;
  /** Encrypts secrets that are kept; undefined for the one in `secretsKeyFile`. */
  readonly secretsKey: string | undefined;
  /** Where that key is made at the first start when the environment names none. */
  readonly secretsKeyFile: string;
  /** Whether webhooks may go to addresses inside the network, and over http. */
  readonly webhookAllowPrivate: boolean;
  /** How long a stop waits for requests under way. */
  readonly drainTimeoutMs: number;
  /** How long a stop is only announced, by `/ready`, before the port is closed. */
  readonly drainDelayMs: number;
  /** Whether `/metrics` is answered. */
  readonly metricsPublic: boolean;
  /** Where traces and metrics are sent; undefined for nowhere. */
  readonly telemetry: TelemetrySettings | undefined;
}

/**
 * Reads the settings of core. What each variable means and may be is declared in `schemas/platform/variables.ts`.
 * @throws ConfigInvalid naming every mistake. The value of a secret is never part of it.
 */
export function readConfig(environment: Environment): Config {
  const settings = new Settings(environment);
  const dataDir = settings.get('DATA_DIR');
  const config: Config = {
    host: settings.get('HOST'),
    port: settings.get('CORE_PORT'),
    databaseUrl: settings.require('DATABASE_URL'),
    databasePoolMax: settings.get('DATABASE_POOL_MAX'),
    internalSecret: settings.require('INTERNAL_SECRET'),
    internalSecretPrevious: settings.get('INTERNAL_SECRET_PREVIOUS'),
    tls: readTls(settings),
    logLevel: settings.get('LOG_LEVEL'),
    bodyBytesMax: settings.get('BODY_BYTES_MAX'),
    bodyDepthMax: settings.get('BODY_DEPTH_MAX'),
    bulkBytesMax: settings.get('BULK_BYTES_MAX'),
    attachmentsDir: join(dataDir, 'attachments'),
    attachmentBytesMax: settings.get('ATTACHMENT_BYTES_MAX'),
    imagingModelsDir: settings.get('IMAGING_MODELS_DIR'),
    jobConcurrency: settings.get('JOB_CONCURRENCY'),
    jobLeaseMs: settings.get('JOB_LEASE_MS'),
    idempotencyHours: settings.get('IDEMPOTENCY_HOURS'),
    secretsKey: settings.get('SECRETS_KEY'),
    secretsKeyFile: join(dataDir, 'secrets.key'),
    webhookAllowPrivate: settings.get('WEBHOOK_ALLOW_PRIVATE'),
    drainTimeoutMs: settings.get('DRAIN_TIMEOUT_MS'),
    drainDelayMs: settings.get('DRAIN_DELAY_MS'),
    metricsPublic: settings.get('METRICS_PUBLIC'),
    telemetry: settings.telemetry(),
  };
  settings.check();
  return config;
}
