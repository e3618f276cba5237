import { randomBytes } from 'node:crypto';
import { readConfig as readCoreConfig } from '@perennial/core/config.ts';
import { readConfig as readGatewayConfig } from '@perennial/gateway/config.ts';
import { ConfigFileUnusable, environmentWith } from '@perennial/schemas/platform/config-file.ts';
import { ConfigInvalid, type Environment, readTogether, Settings } from '@perennial/schemas/platform/settings.ts';

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
  /** How long a service may answer nothing before it is ended and started again; 0 for any time. */
  silentMsMax: number;
  /** How long a service may take to stop. */
  drainMs: number;
  /** Whether the demo account is made. */
  isDemo: boolean;
  /** What the services are given beside what they are told here: the environment, with what CONFIG_FILE adds. */
  environment: Environment;
}

/**
 * Reads the environment, and the file that CONFIG_FILE names in it, for the services that will be started as well. All
 * mistakes are reported together.
 */
export function readStartConfig(given: Environment): StartConfig {
  const environment = withFile(given);
  const settings = new Settings(environment);
  const databaseUrl = settings.get('DATABASE_URL');
  const databaseAdminUrl = settings.get('DATABASE_ADMIN_URL');
  const isEmbedded = databaseUrl === undefined && databaseAdminUrl === undefined;
  const config: StartConfig = {
    host: settings.get('HOST'),
    port: settings.get('PORT'),
    corePort: settings.get('CORE_PORT'),
    dataDir: settings.get('DATA_DIR'),
    databaseUrl,
    databaseAdminUrl,
    databaseGatewayUrl: settings.get('DATABASE_GATEWAY_URL'),
    internalSecret: settings.get('INTERNAL_SECRET') ?? randomBytes(32).toString('hex'),
    deathsPerMinuteMax: settings.get('DEATHS_PER_MINUTE_MAX'),
    silentMsMax: settings.get('HANG_MS_MAX'),
    // The requests under way, and then what they have left to be written.
    drainMs: settings.get('DRAIN_DELAY_MS') + 2 * settings.get('DRAIN_TIMEOUT_MS'),
    isDemo: settings.get('DEMO_DATA') ?? isEmbedded,
    // Embedded, the pinned date is part of the demo.
    environment: isEmbedded ? { ...environment, SERVICE_DATE_CONFIRMED: 'true' } : environment,
  };
  if (config.databaseGatewayUrl !== undefined && config.databaseUrl === undefined)
    settings.mistake('DATABASE_GATEWAY_URL needs DATABASE_URL, the login of core');
  if (config.port !== 0 && config.port === config.corePort) settings.mistake('PORT and CORE_PORT must differ');
  // What the services are told once it is known: their database and each other.
  const told = {
    ...config.environment,
    DATABASE_URL: environment['DATABASE_URL'] || 'postgresql://embedded',
    INTERNAL_SECRET: config.internalSecret,
    CORE_URL: `${environment['CORE_TLS_CERT_FILE'] ? 'https' : 'http'}://${config.host}`,
  };
  readTogether(
    () => settings.check(),
    () => readCoreConfig(told),
    () => readGatewayConfig(told),
  );
  return config;
}

function withFile(environment: Environment): Environment {
  try {
    return environmentWith(environment);
  } catch (error) {
    if (error instanceof ConfigFileUnusable) throw new ConfigInvalid(error.mistakes, { cause: error });
    throw error;
  }
}
