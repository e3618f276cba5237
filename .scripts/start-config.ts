import { randomBytes } from 'node:crypto';

/** What `npm start` reads itself; everything else in the environment is handed on to the services. */
export interface StartConfig {
  host: string;
  /** 0 asks for any free one. */
  port: number;
  corePort: number;
  dataDir: string;
  databaseUrl: string | undefined;
  /** The owner of the tables, who migrates and makes the logins of the services; undefined where there is one login. */
  databaseAdminUrl: string | undefined;
  /** The gateway's own login; undefined for that of `databaseUrl`, or one that is made here. */
  databaseGatewayUrl: string | undefined;
  /** What gateway and core know each other by. */
  internalSecret: string;
  /** After so many deaths of its parts within a minute the whole stops. */
  deathsPerMinuteMax: number;
  /** How long a service may take to stop. */
  drainMs: number;
}

/** Reads the environment. All mistakes are reported together. */
export function readStartConfig(env: NodeJS.ProcessEnv): StartConfig {
  const mistakes: string[] = [];
  const port = (name: string, fallback: number): number => {
    const text = env[name] ?? '';
    if (text === '') return fallback;
    if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
    mistakes.push(`${name} must be a port from 0 to 65535`);
    return fallback;
  };
  const whole = (name: string, fallback: number, least: number, most: number): number => {
    const value = Number(env[name] || fallback);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    mistakes.push(`${name} must be a whole number from ${least} to ${most}`);
    return fallback;
  };
  const config: StartConfig = {
    host: env['HOST'] || '127.0.0.1',
    port: port('PORT', 8080),
    corePort: port('CORE_PORT', 8081),
    dataDir: env['DATA_DIR'] || '.data',
    databaseUrl: env['DATABASE_URL'] || undefined,
    databaseAdminUrl: env['DATABASE_ADMIN_URL'] || undefined,
    databaseGatewayUrl: env['DATABASE_GATEWAY_URL'] || undefined,
    internalSecret: env['INTERNAL_SECRET'] || randomBytes(32).toString('hex'),
    deathsPerMinuteMax: whole('DEATHS_PER_MINUTE_MAX', 5, 1, 1_000),
    // The requests under way, and then what they have left to be written.
    drainMs: whole('DRAIN_DELAY_MS', 0, 0, 600_000) + 2 * whole('DRAIN_TIMEOUT_MS', 10_000, 0, 600_000),
  };
  const addresses = { DATABASE_URL: config.databaseUrl, DATABASE_ADMIN_URL: config.databaseAdminUrl };
  for (const [name, url] of Object.entries({ ...addresses, DATABASE_GATEWAY_URL: config.databaseGatewayUrl }))
    if (url !== undefined && !(/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)))
      mistakes.push(`${name} must be an address that begins with postgresql://`);
  if (config.databaseGatewayUrl !== undefined && config.databaseUrl === undefined)
    mistakes.push('DATABASE_GATEWAY_URL needs DATABASE_URL, the login of core');
  if (config.port !== 0 && config.port === config.corePort) mistakes.push('PORT and CORE_PORT must differ');
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  return config;
}
