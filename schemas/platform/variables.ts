import Type, { type Static, type TSchema } from 'typebox';
import { IDEMPOTENCY_HOURS_MAX, IDEMPOTENCY_HOURS_MIN } from '../idempotency.ts';
import { isDay } from './calendar.ts';
import { logLevels } from './logger.ts';

/*
 * Every environment variable of every process, declared once: its type, its default or what holds in its absence, its
 * bounds, and what it means. `Settings` reads them, and a test holds the table in docs/operations.md to them.
 */

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Shortest of the secrets that processes share. */
export const SECRET_CHARS_MIN = 32;

/** A default, and bounds. */
interface WholeNumber {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** A default of the type, so that readers know there always is a value. */
const withDefault = <S extends TSchema>(schema: S, value: Static<S>): S & { readonly default: Static<S> } =>
  Object.assign(schema, { default: value });
const whole = (description: string, { default: usual, minimum, maximum }: WholeNumber) =>
  withDefault(Type.Integer({ description, minimum, maximum }), usual);
const switched = (description: string, isOn: boolean) => withDefault(Type.Boolean({ description }), isOn);
const port = (description: string, number: number) =>
  whole(description, { default: number, minimum: 0, maximum: 65_535 });
const milliseconds = (description: string, usual: number, minimum: number, maximum = 600_000) =>
  whole(description, { default: usual, minimum, maximum });
/** @param absent what holds where the variable is not set, in words. */
const text = (description: string, absent: string) => Type.String({ description, absent });
const secret = (description: string, absent: string) =>
  Type.String({ description, absent, minLength: SECRET_CHARS_MIN, isSecret: true });
const secure = (description: string, absent: string) =>
  Type.Refine(
    text(description, absent),
    isSecureUrl,
    () => 'an address that begins with https://, or http:// of this machine',
  );
const postgres = (description: string, absent: string) =>
  Type.Refine(
    text(description, absent),
    isPostgresUrl,
    () => 'a PostgreSQL address: postgresql://user:password@host:5432/name',
  );

export const variables = {
  CONFIG_FILE: text(
    'a file with lines `NAME=value` of these variables; what the environment says goes before what the file says',
    '',
  ),
  PORT: port('where the gateway listens; 0 for any free port', 8080),
  HOST: withDefault(Type.String({ description: 'the address that gateway and core listen on' }), '127.0.0.1'),
  CORE_PORT: port('where core listens; 0 for any free port', 8081),
  DATABASE_URL: postgres('your own PostgreSQL; with `DATABASE_ADMIN_URL`, the login of the service', 'embedded server'),
  DATABASE_ADMIN_URL: postgres('who owns the tables: migrates, and gives core and gateway a login of their own', ''),
  DATABASE_GATEWAY_URL: postgres('the gateway’s login, for `npm start` with logins that you made', '`DATABASE_URL`'),
  DATABASE_POOL_MAX: whole('connections of core', { default: 10, minimum: 1, maximum: 1_000 }),
  DATA_DIR: withDefault(Type.String({ description: 'the embedded server’s data, files, `demo.json`' }), '.data'),
  SERVICE_DATE: Type.Refine(
    text('the day that decides which version is in which state: `YYYY-MM-DD` or `system`', 'the history’s'),
    (day) => day === 'system' || isDay(day),
    () => 'a day that exists, YYYY-MM-DD, or "system"',
  ),
  SERVICE_DATE_CONFIRMED: switched(
    'says that a day in SERVICE_DATE beside your own PostgreSQL is meant: no version retires there by itself',
    false,
  ),
  INTERNAL_SECRET: secret('what gateway and core share, when they run apart', 'random each start'),
  INTERNAL_SECRET_PREVIOUS: secret(
    'the one before, which core takes as well while it is changed: core first, then the gateways',
    '',
  ),
  SECRETS_KEY: secret('what secrets of webhooks are encrypted with', 'a file in `DATA_DIR`'),
  CORE_URL: Type.Refine(
    text(
      'core’s address, for `npm run gateway` alone; `https://` where core has a certificate; several with commas between them are asked in turn',
      '',
    ),
    areAddressesOfCores,
    () => 'the address of core, http(s)://host:port, or several like it with commas',
  ),
  CORE_TLS_CERT_FILE: text('core’s certificate (PEM)', ''),
  CORE_TLS_KEY_FILE: text('core’s key (PEM)', ''),
  CORE_TLS_CLIENT_CA_FILE: text('the authority whose certificates core’s callers must show (PEM)', ''),
  CORE_CA_FILE: text('the authority that the gateway trusts for core (PEM)', ''),
  CORE_CLIENT_CERT_FILE: text('the certificate that the gateway shows core (PEM)', ''),
  CORE_CLIENT_KEY_FILE: text('the key of that certificate (PEM)', ''),
  LOG_LEVEL: withDefault(Type.Enum([...logLevels], { description: 'how much is logged' }), 'info'),
  WORKERS: whole('processes of the gateway behind one port', { default: 1, minimum: 1, maximum: 64 }),
  REDIS_URL: text('counts rate limits in Redis, for several gateways', ''),
  RATE_LIMIT_PER_MINUTE: whole('requests of one key, at all workers together', {
    default: 60_000,
    minimum: 1,
    maximum: 1_000_000_000,
  }),
  TRUST_PROXY: text(
    'proxies before the gateway: how many, or addresses and networks (`10.0.0.0/8, loopback`); whose Forwarded and X-Forwarded-For name the client',
    '',
  ),
  REFUSALS_PER_MINUTE: whole(
    'wrong keys from one address, or that begin alike, before they are 429; a right key is never',
    { default: 300, minimum: 1, maximum: 1_000_000_000 },
  ),
  OAUTH_ISSUER: secure('the issuer of OAuth 2.0 whose access tokens are taken beside keys', ''),
  OAUTH_AUDIENCE: text('whom its tokens must be for: this service, by the name that it has there', ''),
  OAUTH_JWKS_URL: secure('where its keys are', 'its metadata say it'),
  OAUTH_ACCOUNT_CLAIM: withDefault(
    Type.String({ description: 'the claim that names the account' }),
    'perennial_account',
  ),
  OAUTH_SCOPES: text(
    'what its scopes mean: `theirs=patients:read diagnostics:read`, with commas between; ours mean themselves',
    '',
  ),
  OAUTH_SKEW_SECONDS: whole('how far its clock may be from ours', { default: 60, minimum: 0, maximum: 600 }),
  TLS_CERT_FILE: text('the gateway’s certificate (PEM)', ''),
  TLS_KEY_FILE: text('the gateway’s key (PEM)', ''),
  TLS_CLIENT_CA_FILE: text('the authority whose certificates clients must show (PEM)', ''),
  KEY_CACHE_MS: milliseconds(
    'how long a key is believed where its revocation cannot be heard; else it works no more within a second',
    10_000,
    0,
    300_000,
  ),
  CORE_TIMEOUT_MS: milliseconds('how long core may be silent', 30_000, 10),
  DRAIN_TIMEOUT_MS: milliseconds('how long a stop may take', 10_000, 0),
  DRAIN_DELAY_MS: milliseconds(
    'how long `/ready` says that a stop is coming before the port closes; longer than a balancer needs to see it',
    0,
    0,
  ),
  DEATHS_PER_MINUTE_MAX: whole('after so many deaths of its parts `npm start` stops and says why', {
    default: 5,
    minimum: 1,
    maximum: 1_000,
  }),
  HANG_MS_MAX: milliseconds(
    'how long a service may answer nothing before `npm start`, or the first of several workers, ends it and starts it again; 0 for any time',
    15_000,
    0,
  ),
  BODY_BYTES_MAX: whole('largest body', { default: MIB, minimum: KIB, maximum: 100 * MIB }),
  BODY_DEPTH_MAX: whole('deepest body', { default: 64, minimum: 8, maximum: 1_000 }),
  ELEMENT_BYTES_MAX: whole('largest element of a stream', { default: MIB, minimum: KIB, maximum: 100 * MIB }),
  ANSWER_BYTES_MAX: whole('largest JSON answer that is translated', {
    default: 32 * MIB,
    minimum: KIB,
    maximum: 1_024 * MIB,
  }),
  BULK_BYTES_MAX: whole('largest bulk body', { default: 32 * MIB, minimum: KIB, maximum: 1_024 * MIB }),
  ATTACHMENT_BYTES_MAX: whole('largest file', { default: 50 * MIB, minimum: KIB, maximum: 2_147_483_647 }),
  IMAGING_MODELS_DIR: text('folder of further trained models that look at images', ''),
  IDEMPOTENCY_HOURS: whole('how long a repeated request gets its first answer', {
    default: IDEMPOTENCY_HOURS_MIN,
    minimum: IDEMPOTENCY_HOURS_MIN,
    maximum: IDEMPOTENCY_HOURS_MAX,
  }),
  JOB_CONCURRENCY: whole('jobs that a core works on at a time', { default: 2, minimum: 1, maximum: 100 }),
  JOB_LEASE_MS: milliseconds('how soon a job of a dead process is taken up', 10_000, 500),
  WEBHOOK_DELIVERY: switched('whether this gateway delivers', true),
  WEBHOOK_ALLOW_PRIVATE: switched('whether webhooks may go to addresses inside the network', false),
  WEBHOOK_TIMEOUT_MS: milliseconds('how long a receiver may take', 15_000, 100, 60_000),
  WEBHOOK_CONCURRENCY: whole('deliveries at a time', { default: 64, minimum: 1, maximum: 10_000 }),
  AUDIT_DELAY_MAX_MS: milliseconds('how long an entry of the audit trail may wait before nothing is served', 5_000, 50),
  AUDIT_QUEUE_MAX: whole('how many entries may wait', { default: 10_000, minimum: 1, maximum: 1_000_000 }),
  AUDIT_KEY: Type.Refine(
    Type.String({
      description:
        'what entries of the audit trail are made with; a new key goes before the old one, with a comma between',
      absent: 'a file in `DATA_DIR`',
      isSecret: true,
    }),
    (keys) => splitSecrets(keys).every(({ length }) => length >= SECRET_CHARS_MIN),
    () => `a key of at least ${SECRET_CHARS_MIN} characters, or several with commas between`,
  ),
  AUDIT_HEADS_FILE: text(
    'where the ends of its chains are signed to; best where those who administer the database cannot write',
    'in `DATA_DIR`',
  ),
  AUDIT_HEADS_URL: Type.Refine(
    text('where each of these lines is posted to as well', ''),
    (url) => URL.canParse(url) && /^https?:/.test(url),
    () => 'an address that begins with https:// or http://',
  ),
  AUDIT_HEADS_INTERVAL_MS: milliseconds('how often the ends are signed', 10_000, 100, 86_400_000),
  USAGE_FLUSH_MS: milliseconds('how often counted use is written', 2_000, 10),
  MIRROR_URL: Type.Refine(
    text('a gateway with a draft release, to which a share of reads is sent as well', ''),
    (url) => URL.canParse(url) && /^https?:/.test(url),
    () => 'an address that begins with https:// or http://',
  ),
  MIRROR_SHARE: withDefault(
    Type.Number({ description: 'share of reads that are sent there as well', minimum: 0, maximum: 1 }),
    0,
  ),
  ANSWER_CHECK_SHARE: withDefault(
    Type.Number({ description: 'share of translated answers checked against their contract', minimum: 0, maximum: 1 }),
    0.01,
  ),
  ANSWER_CHECK: withDefault(
    Type.Enum(['report', 'refuse'], { description: 'what a failed check does; `refuse` for tests' }),
    'report',
  ),
  DEMO_DATA: Type.Boolean({
    description: 'whether `npm start` makes the demo account, its patients and its keys',
    absent: 'only in the embedded server',
  }),
  DEMO_FILE: text(
    'a file with demo keys, which the home page shows to a reader at this machine; set by `npm start` on its own database',
    '',
  ),
  METRICS_PUBLIC: switched('whether `/metrics` needs no key; core answers it only then', false),
} as const satisfies Readonly<Record<string, TSchema>>;

export type Variables = typeof variables;

/** The secrets of `AUDIT_KEY` or of a key file: the current one first, separated by commas or white space. */
export function splitSecrets(secrets: string): readonly string[] {
  return secrets.split(/[\s,]+/).filter((each) => each !== '');
}

/** What is read there decides who may call: nobody on the way may change it. */
function isSecureUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname));
}

function isPostgresUrl(url: string): boolean {
  return URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol);
}

/** Addresses of cores that are reached in one way, all with TLS or none. */
function areAddressesOfCores(addresses: string): boolean {
  const schemes = addresses.split(',').map((each) => /^(https?):\/\/[^/?#@\s]+$/.exec(each.trim())?.[1]);
  return schemes[0] !== undefined && schemes.every((each) => each === schemes[0]);
}
