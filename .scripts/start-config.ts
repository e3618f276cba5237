import { randomBytes } from 'node:crypto';

/** What `npm start` reads itself; everything else in the environment is handed on to the services. */
export interface StartConfig {
  host: string;
  /** 0 asks for any free one. */
  port: number;
  corePort: number;
  dataDir: string;
  databaseUrl: string | undefined;
  /** What gateway and core know each other by. */
  internalSecret: string;
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
  const config: StartConfig = {
    host: env['HOST'] || '127.0.0.1',
    port: port('PORT', 8080),
    corePort: port('CORE_PORT', 8081),
    dataDir: env['DATA_DIR'] || '.data',
    databaseUrl: env['DATABASE_URL'] || undefined,
    internalSecret: env['INTERNAL_SECRET'] || randomBytes(32).toString('hex'),
  };
  if (config.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.databaseUrl)) {
    mistakes.push('DATABASE_URL must begin with postgresql://');
  }
  if (config.port !== 0 && config.port === config.corePort) mistakes.push('PORT and CORE_PORT must differ');
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  return config;
}
