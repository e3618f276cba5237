import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { ALL_SCOPES } from '@perennial/prisma/accounts.ts';
import type { LogLevel } from '@perennial/schemas/platform/logger.ts';
import { type Environment, readNamedFile, Settings } from '@perennial/schemas/platform/settings.ts';
import type { TelemetrySettings } from '@perennial/schemas/platform/telemetry/settings.ts';
import { readTrustProxy, type TrustProxy } from './client-address.ts';
import type { OAuthConfig } from './credentials/oauth/tokens.ts';
import { type CoreTls, readCoreTls } from './forward/core-tls.ts';

/** Everything the gateway can be told, read once. */
export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  /** Addresses of core: one, or several equal ones. */
  readonly coreUrls: readonly string[];
  /** Set when core uses a private certificate authority, or asks for a client certificate. */
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
  /** Proxies in front of the gateway that are trusted to name the client's address; undefined for none. */
  readonly trustProxy: TrustProxy | undefined;
  /** Wrong keys per minute from one address, or with one prefix, before the sender gets 429. */
  readonly refusalsPerMinute: number;
  readonly redisUrl: string | undefined;
  /** Processes that serve the port. */
  readonly workers: number;
  /** How long a worker may be unresponsive before it is replaced; 0 for no limit. */
  readonly silentMsMax: number;
  /** How long a verified key is cached. */
  readonly keyCacheMs: number;
  /** Share of translated answers that are checked against the derived schema, 0 to 1. */
  readonly answerCheckShare: number;
  /** A gateway with a draft release, and the share of reads that it is asked as well; undefined for none. */
  readonly mirror: { readonly url: string; readonly share: number } | undefined;
  /** What a failed check does: `report` logs it, `refuse` answers 500. */
  readonly answerCheck: 'report' | 'refuse';
  readonly drainTimeoutMs: number;
  /** How long `/ready` reports the stop before the port is closed. */
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
  /** URL to which each line of that file is also posted. */
  readonly auditHeadsUrl: string | undefined;
  readonly auditHeadsIntervalMs: number;
  /** Folder for audit entries that could not be written to the database before a stop; undefined for none. */
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
  /** The demo account's keys, which the portal shows to whoever sits at this machine; set by `npm start` on its own database. */
  readonly demoFile: string | undefined;
  /** Whose access tokens are taken beside keys; undefined for nobody's. */
  readonly oauth: OAuthConfig | undefined;
  /** Certificate and key to be reached by https with, and what clients must show; undefined for plain HTTP. */
  readonly tls: TlsOptions | undefined;
  /** Where traces and metrics are sent; undefined for nowhere. */
  readonly telemetry: TelemetrySettings | undefined;
}

/** Boundaries, headers and fields around the bytes of a file. */
const UPLOAD_OVERHEAD_BYTES = 65_536;

/**
 * Reads the gateway's configuration. What each variable means and may be is declared in
 * `schemas/platform/variables.ts`.
 * @throws {ConfigInvalid} naming every variable that is missing or wrong.
 */
export function readConfig(environment: Environment): GatewayConfig {
  const settings = new Settings(environment);
  const dataDir = settings.get('DATA_DIR');
  const config: GatewayConfig = {
    host: settings.get('HOST'),
    port: settings.get('PORT'),
    coreUrls: settings
      .require('CORE_URL')
      .split(',')
      .map((each) => each.trim()),
    auditSpoolDir: join(dataDir, 'audit'),
    coreTls: readCoreTls(settings),
    databaseUrl: settings.require('DATABASE_URL'),
    internalSecret: settings.require('INTERNAL_SECRET'),
    logLevel: settings.get('LOG_LEVEL'),
    serviceDate: settings.get('SERVICE_DATE'),
    coreTimeoutMs: settings.get('CORE_TIMEOUT_MS'),
    uploadBytesMax: settings.get('ATTACHMENT_BYTES_MAX') + UPLOAD_OVERHEAD_BYTES,
    bodyBytesMax: settings.get('BODY_BYTES_MAX'),
    bodyDepthMax: settings.get('BODY_DEPTH_MAX'),
    elementBytesMax: settings.get('ELEMENT_BYTES_MAX'),
    bulkBytesMax: settings.get('BULK_BYTES_MAX'),
    answerBytesMax: settings.get('ANSWER_BYTES_MAX'),
    ratePerMinute: settings.get('RATE_LIMIT_PER_MINUTE'),
    trustProxy: trustedProxies(settings),
    refusalsPerMinute: settings.get('REFUSALS_PER_MINUTE'),
    redisUrl: settings.get('REDIS_URL'),
    workers: settings.get('WORKERS'),
    silentMsMax: settings.get('HANG_MS_MAX'),
    keyCacheMs: settings.get('KEY_CACHE_MS'),
    answerCheckShare: settings.get('ANSWER_CHECK_SHARE'),
    mirror: readMirror(settings.get('MIRROR_URL'), settings.get('MIRROR_SHARE')),
    answerCheck: settings.get('ANSWER_CHECK'),
    drainTimeoutMs: settings.get('DRAIN_TIMEOUT_MS'),
    drainDelayMs: settings.get('DRAIN_DELAY_MS'),
    auditDelayMaxMs: settings.get('AUDIT_DELAY_MAX_MS'),
    auditQueueMax: settings.get('AUDIT_QUEUE_MAX'),
    auditKey: settings.get('AUDIT_KEY'),
    auditKeyFile: join(dataDir, 'audit.key'),
    auditHeadsFile: settings.get('AUDIT_HEADS_FILE') ?? join(dataDir, 'audit-heads.jsonl'),
    auditHeadsUrl: settings.get('AUDIT_HEADS_URL'),
    auditHeadsIntervalMs: settings.get('AUDIT_HEADS_INTERVAL_MS'),
    usageFlushMs: settings.get('USAGE_FLUSH_MS'),
    webhookDelivery: settings.get('WEBHOOK_DELIVERY'),
    webhookAllowPrivate: settings.get('WEBHOOK_ALLOW_PRIVATE'),
    webhookTimeoutMs: settings.get('WEBHOOK_TIMEOUT_MS'),
    webhookConcurrency: settings.get('WEBHOOK_CONCURRENCY'),
    metricsPublic: settings.get('METRICS_PUBLIC'),
    demoFile: settings.get('DEMO_FILE'),
    oauth: readOAuth(settings),
    tls: readListenerTls(settings),
    telemetry: settings.telemetry(),
  };
  if (config.serviceDate !== undefined && config.serviceDate !== 'system' && !settings.get('SERVICE_DATE_CONFIRMED'))
    settings.mistake(
      'SERVICE_DATE names a day beside a PostgreSQL of your own, where no version would ever retire by itself: set it to "system", or SERVICE_DATE_CONFIRMED=true where that is meant',
    );
  settings.check();
  return config;
}

function trustedProxies(settings: Settings): TrustProxy | undefined {
  try {
    return readTrustProxy(settings.get('TRUST_PROXY') ?? '');
  } catch {
    settings.mistake('TRUST_PROXY must be a number of proxies up to 32, or their addresses and networks, with commas');
    return undefined;
  }
}

/** `theirs=ours ours`, with commas between. */
function readOAuth(settings: Settings): OAuthConfig | undefined {
  const issuer = settings.get('OAUTH_ISSUER');
  const audience = settings.get('OAUTH_AUDIENCE');
  if (issuer === undefined) return undefined;
  if (audience === undefined) settings.mistake('OAUTH_AUDIENCE must be set with OAUTH_ISSUER: whom its tokens are for');
  const scopes = new Map<string, readonly string[]>();
  for (const each of (settings.get('OAUTH_SCOPES') ?? '').split(',').filter((part) => part.trim() !== '')) {
    const [theirs = '', ours = ''] = each.trim().split('=');
    const names = ours.split(' ').filter((name) => name !== '');
    if (theirs === '' || names.length === 0 || names.some((name) => !ALL_SCOPES.some((scope) => scope === name)))
      settings.mistake('OAUTH_SCOPES must be pairs theirs=patients:read diagnostics:read, with commas between');
    scopes.set(theirs, names);
  }
  return {
    issuer,
    audience: audience ?? '',
    jwksUrl: settings.get('OAUTH_JWKS_URL'),
    accountClaim: settings.get('OAUTH_ACCOUNT_CLAIM'),
    scopes,
    skewSeconds: settings.get('OAUTH_SKEW_SECONDS'),
  };
}

function readListenerTls(settings: Settings): TlsOptions | undefined {
  const [cert, key] = [readNamedFile(settings, 'TLS_CERT_FILE'), readNamedFile(settings, 'TLS_KEY_FILE')];
  const ca = readNamedFile(settings, 'TLS_CLIENT_CA_FILE');
  if (cert && key)
    return { cert, key, minVersion: 'TLSv1.2', ...(ca ? { ca, requestCert: true, rejectUnauthorized: true } : {}) };
  if (cert || key || ca) settings.mistake('TLS_CERT_FILE and TLS_KEY_FILE must be set together');
  return undefined;
}

function readMirror(url: string | undefined, share: number): GatewayConfig['mirror'] {
  return url === undefined || share === 0 ? undefined : { url, share };
}
