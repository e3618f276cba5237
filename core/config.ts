import { join } from 'node:path';
import { IDEMPOTENCY_HOURS_MAX, IDEMPOTENCY_HOURS_MIN } from '@perennial/schemas/idempotency.ts';
import { type LogLevel, logLevels } from '@perennial/schemas/platform/logger.ts';

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
}

/** Every mistake in the environment, one line each. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
}

const SECRET_CHARS_MIN = 32;

/**
 * Reads the settings from environment variables. An empty variable counts as absent.
 * @throws ConfigInvalid naming every mistake. The value of a secret is never part of it.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: string[] = [];
  const text = (name: string, fallback: string): string => env[name]?.trim() || fallback;
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const given = text(name, String(fallback));
    const value = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    faults.push(`${name} must be a whole number from ${min} to ${max}.`);
    return fallback;
  };

  const databaseUrl = text('DATABASE_URL', '');
  if (!isPostgresUrl(databaseUrl)) {
    faults.push('DATABASE_URL must be set to a PostgreSQL address: postgresql://user:password@host:5432/name.');
  }
  const internalSecret = env['INTERNAL_SECRET'] ?? '';
  if (internalSecret.length < SECRET_CHARS_MIN) {
    faults.push(`INTERNAL_SECRET must be set to at least ${SECRET_CHARS_MIN} characters, the same as the gateway's.`);
  }
  const internalSecretPrevious = env['INTERNAL_SECRET_PREVIOUS'] || undefined;
  if (internalSecretPrevious !== undefined && internalSecretPrevious.length < SECRET_CHARS_MIN)
    faults.push(`INTERNAL_SECRET_PREVIOUS must have at least ${SECRET_CHARS_MIN} characters.`);
  const logLevel = text('LOG_LEVEL', 'info');
  if (!isLogLevel(logLevel)) faults.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}.`);

  const secretsKey = env['SECRETS_KEY'] || undefined;
  if (secretsKey !== undefined && secretsKey.length < SECRET_CHARS_MIN)
    faults.push(`SECRETS_KEY must have at least ${SECRET_CHARS_MIN} characters.`);
  const allowPrivate = text('WEBHOOK_ALLOW_PRIVATE', 'false');
  if (allowPrivate !== 'true' && allowPrivate !== 'false') faults.push('WEBHOOK_ALLOW_PRIVATE must be true or false.');

  const config: Config = {
    host: text('HOST', '127.0.0.1'),
    port: integer('CORE_PORT', 8081, 0, 65_535),
    databaseUrl,
    databasePoolMax: integer('DATABASE_POOL_MAX', 10, 1, 1_000),
    internalSecret,
    internalSecretPrevious,
    tls: readTls(env, (fault) => faults.push(fault)),
    logLevel: isLogLevel(logLevel) ? logLevel : 'info',
    bodyBytesMax: integer('BODY_BYTES_MAX', 1_048_576, 1_024, 104_857_600),
    bodyDepthMax: integer('BODY_DEPTH_MAX', 64, 8, 1_000),
    bulkBytesMax: integer('BULK_BYTES_MAX', 33_554_432, 1_024, 1_073_741_824),
    attachmentsDir: join(text('DATA_DIR', '.data'), 'attachments'),
    attachmentBytesMax: integer('ATTACHMENT_BYTES_MAX', 52_428_800, 1_024, 2_147_483_647),
    imagingModelsDir: text('IMAGING_MODELS_DIR', '') || undefined,
    jobConcurrency: integer('JOB_CONCURRENCY', 2, 1, 100),
    jobLeaseMs: integer('JOB_LEASE_MS', 10_000, 500, 600_000),
    idempotencyHours: integer('IDEMPOTENCY_HOURS', IDEMPOTENCY_HOURS_MIN, IDEMPOTENCY_HOURS_MIN, IDEMPOTENCY_HOURS_MAX),
    secretsKey,
    secretsKeyFile: join(text('DATA_DIR', '.data'), 'secrets.key'),
    webhookAllowPrivate: allowPrivate === 'true',
    drainTimeoutMs: integer('DRAIN_TIMEOUT_MS', 10_000, 0, 600_000),
    drainDelayMs: integer('DRAIN_DELAY_MS', 0, 0, 600_000),
  };
  if (faults.length > 0) throw new ConfigInvalid(faults.join('\n'));
  return config;
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}
