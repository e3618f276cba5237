import { join } from 'node:path';
import { isDay } from '@perennial/schemas/platform/calendar.ts';
import { type LogLevel, logLevels } from '@perennial/schemas/platform/logger.ts';
import { AUDIT_KEY_CHARS_MIN, splitSecrets } from './audit/keys.ts';
import { readTrustProxy, type TrustProxy } from './client-address.ts';
import { type CoreTls, readCoreTls } from './forward/core-tls.ts';

/** Everything the gateway can be told, read once. */
export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  /** Where core is: several addresses of equals, or one. */
  readonly coreUrls: readonly string[];
  /** Set where core's certificate is of an authority of one's own, or core wants to see ours. */
  readonly coreTls: CoreTls | undefined;
  readonly databaseUrl: string;
  readonly internalSecret: string;
  readonly logLevel: LogLevel;
  /** `YYYY-MM-DD`, `system`, or undefined for the date that the history pins. */
  readonly serviceDate: string | undefined;
  /** How long core may take to begin its answer, and to go on with it. */
  readonly coreTimeoutMs: number;
  readonly bodyBytesMax: number;
  /** Largest body of an operation that takes files: the largest file that core keeps, and what stands around it. */
  readonly uploadBytesMax: number;
  readonly bodyDepthMax: number;
  /** Largest answer of core that is translated; larger ones are refused, never cut. */
  readonly answerBytesMax: number;
  /** Largest body that is read element by element. */
  readonly bulkBytesMax: number;
  /** Largest element of a stream that is translated. */
  readonly elementBytesMax: number;
  /** Requests a key may make in a minute. */
  readonly ratePerMinute: number;
  /** Who stands before the gateway and may say for whom it calls; undefined for nobody. */
  readonly trustProxy: TrustProxy | undefined;
  /** Wrong keys that come from an address, or begin alike, in a minute, before they are told to wait. */
  readonly refusalsPerMinute: number;
  readonly redisUrl: string | undefined;
  /** Processes that serve the port. */
  readonly workers: number;
  /** How long a verified key is believed without asking the database again. */
  readonly keyCacheMs: number;
  /** Share of translated answers that are checked against the derived schema, 0 to 1. */
  readonly answerCheckShare: number;
  /** What a failed check does: `report` logs it, `refuse` answers 500. */
  readonly answerCheck: 'report' | 'refuse';
  readonly drainTimeoutMs: number;
  /** How long a stop is only announced, by `/ready`, before the port is closed. */
  readonly drainDelayMs: number;
  /** How long an entry of the audit trail may wait for the database before patient data is refused. */
  readonly auditDelayMaxMs: number;
  /** How many entries may wait. */
  readonly auditQueueMax: number;
  /** What entries of the audit trail are made with, the current key first; undefined for the one in `auditKeyFile`. */
  readonly auditKey: string | undefined;
  /** Where that key is made at the first start when the environment names none. */
  readonly auditKeyFile: string;
  /** Where the ends of the chains are signed to. */
  readonly auditHeadsFile: string;
  /** Where each line of that file is posted to as well. */
  readonly auditHeadsUrl: string | undefined;
  readonly auditHeadsIntervalMs: number;
  /** Folder for the entries that the database does not take before a stop; undefined for none. */
  readonly auditSpoolDir: string | undefined;
  /** How often counts of usage are added to the database. */
  readonly usageFlushMs: number;
  /** Whether this gateway delivers webhooks beside the requests it serves. */
  readonly webhookDelivery: boolean;
  /** Whether webhooks may go to addresses inside the network. */
  readonly webhookAllowPrivate: boolean;
  /** How long a receiver may take. */
  readonly webhookTimeoutMs: number;
  /** Deliveries under way at a time: as many again to receivers that failed or took long the last time. */
  readonly webhookConcurrency: number;
  /** Whether `/metrics` answers without an admin key. */
  readonly metricsPublic: boolean;
}

/** The environment is not usable. Lists every mistake at once. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
}

/**
 * Reads the gateway's configuration.
 * @throws {ConfigInvalid} naming every variable that is missing or wrong.
 */
/** Boundaries, headers and fields around the bytes of a file. */
const UPLOAD_OVERHEAD_BYTES = 65_536;

export function readConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const mistakes: string[] = [];
  const number = (name: string, fallback: number, least: number, most: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = Number(text);
    if (Number.isFinite(value) && value >= least && value <= most) return value;
    mistakes.push(`${name} must be a number from ${least} to ${most}`);
    return fallback;
  };
  const integer = (name: string, fallback: number, least: number, most: number): number => {
    const value = number(name, fallback, least, most);
    if (Number.isInteger(value)) return value;
    mistakes.push(`${name} must be a whole number`);
    return fallback;
  };
  const required = (name: string, isValid: (text: string) => boolean, what: string): string => {
    const text = env[name] ?? '';
    if (!isValid(text)) mistakes.push(`${name} must be ${what}`);
    return text;
  };
  const word = <T extends string>(name: string, fallback: T, words: readonly T[]): T => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const found = words.find((each) => each === text);
    if (found === undefined) mistakes.push(`${name} must be one of ${words.join(', ')}`);
    return found ?? fallback;
  };
  const trustProxy = (): TrustProxy | undefined => {
    try {
      return readTrustProxy(env['TRUST_PROXY'] ?? '');
    } catch {
      mistakes.push('TRUST_PROXY must be a number of proxies up to 32, or their addresses and networks, with commas');
      return undefined;
    }
  };
  const serviceDate = env['SERVICE_DATE'] || undefined;
  if (serviceDate !== undefined && serviceDate !== 'system' && !isDay(serviceDate))
    mistakes.push('SERVICE_DATE must be a day that exists, YYYY-MM-DD, or "system"');
  const auditKey = env['AUDIT_KEY'] || undefined;
  if (auditKey !== undefined && !splitSecrets(auditKey).every(({ length }) => length >= AUDIT_KEY_CHARS_MIN))
    mistakes.push(
      `AUDIT_KEY must be a key of at least ${AUDIT_KEY_CHARS_MIN} characters, or several with commas between`,
    );
  const auditHeadsUrl = env['AUDIT_HEADS_URL'] || undefined;
  if (auditHeadsUrl !== undefined && !(URL.canParse(auditHeadsUrl) && /^https?:/.test(auditHeadsUrl)))
    mistakes.push('AUDIT_HEADS_URL must be an address that begins with https:// or http://');
  const dataDir = env['DATA_DIR'] || '.data';

  const config: GatewayConfig = {
    host: env['HOST'] || '127.0.0.1',
    port: integer('PORT', 8080, 0, 65_535),
    coreUrls: required('CORE_URL', areCores, 'the address of core, http(s)://host:port, or several like it with commas')
      .split(',')
      .map((each) => each.trim()),
    auditSpoolDir: join(env['DATA_DIR'] || '.data', 'audit'),
    coreTls: readCoreTls(env, (what) => mistakes.push(what)),
    databaseUrl: required('DATABASE_URL', (text) => /^postgres(ql)?:\/\//.test(text), 'a postgresql:// address'),
    internalSecret: required(
      'INTERNAL_SECRET',
      (text) => text.length >= 32,
      'at least 32 characters, the same as core’s',
    ),
    logLevel: word('LOG_LEVEL', 'info', logLevels),
    serviceDate,
    coreTimeoutMs: integer('CORE_TIMEOUT_MS', 30_000, 10, 600_000),
    uploadBytesMax: integer('ATTACHMENT_BYTES_MAX', 52_428_800, 1_024, 2_147_483_647) + UPLOAD_OVERHEAD_BYTES,
    bodyBytesMax: integer('BODY_BYTES_MAX', 1_048_576, 1_024, 104_857_600),
    bodyDepthMax: integer('BODY_DEPTH_MAX', 64, 4, 1_000),
    elementBytesMax: integer('ELEMENT_BYTES_MAX', 1_048_576, 1_024, 104_857_600),
    bulkBytesMax: integer('BULK_BYTES_MAX', 33_554_432, 1_024, 1_073_741_824),
    answerBytesMax: integer('ANSWER_BYTES_MAX', 33_554_432, 1_024, 1_073_741_824),
    ratePerMinute: integer('RATE_LIMIT_PER_MINUTE', 60_000, 1, 1_000_000_000),
    trustProxy: trustProxy(),
    refusalsPerMinute: integer('REFUSALS_PER_MINUTE', 300, 1, 1_000_000_000),
    redisUrl: env['REDIS_URL'] || undefined,
    workers: integer('WORKERS', 1, 1, 64),
    keyCacheMs: integer('KEY_CACHE_MS', 10_000, 0, 300_000),
    answerCheckShare: number('ANSWER_CHECK_SHARE', 0.01, 0, 1),
    answerCheck: word('ANSWER_CHECK', 'report', ['report', 'refuse']),
    drainTimeoutMs: integer('DRAIN_TIMEOUT_MS', 10_000, 0, 600_000),
    drainDelayMs: integer('DRAIN_DELAY_MS', 0, 0, 600_000),
    auditDelayMaxMs: integer('AUDIT_DELAY_MAX_MS', 5_000, 50, 600_000),
    auditQueueMax: integer('AUDIT_QUEUE_MAX', 10_000, 1, 1_000_000),
    auditKey,
    auditKeyFile: join(dataDir, 'audit.key'),
    auditHeadsFile: env['AUDIT_HEADS_FILE'] || join(dataDir, 'audit-heads.jsonl'),
    auditHeadsUrl,
    auditHeadsIntervalMs: integer('AUDIT_HEADS_INTERVAL_MS', 10_000, 100, 86_400_000),
    usageFlushMs: integer('USAGE_FLUSH_MS', 2_000, 10, 600_000),
    webhookDelivery: word('WEBHOOK_DELIVERY', 'true', ['true', 'false']) === 'true',
    webhookAllowPrivate: word('WEBHOOK_ALLOW_PRIVATE', 'false', ['true', 'false']) === 'true',
    webhookTimeoutMs: integer('WEBHOOK_TIMEOUT_MS', 15_000, 100, 60_000),
    webhookConcurrency: integer('WEBHOOK_CONCURRENCY', 64, 1, 10_000),
    metricsPublic: word('METRICS_PUBLIC', 'false', ['true', 'false']) === 'true',
  };
  if (mistakes.length > 0)
    throw new ConfigInvalid(`the configuration is refused:\n${mistakes.map((m) => `  - ${m}`).join('\n')}`);
  return config;
}

/** Addresses of cores that are reached in one way, all with TLS or none. */
function areCores(text: string): boolean {
  const schemes = text.split(',').map((each) => /^(https?):\/\/[^/?#@\s]+$/.exec(each.trim())?.[1]);
  return schemes[0] !== undefined && schemes.every((each) => each === schemes[0]);
}
