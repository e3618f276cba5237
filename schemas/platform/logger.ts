import winston from 'winston';

/** Levels a service can log at. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** A level a service can log at. */
export type LogLevel = (typeof logLevels)[number];

/** The log of a service. */
export type Logger = winston.Logger;

/** JSON lines on standard output. Lines carry ids and codes, never bodies, keys or query values. */
export function createLogger(level: LogLevel, service: string): Logger {
  return winston.createLogger({
    level: level === 'silent' ? 'error' : level,
    silent: level === 'silent',
    defaultMeta: { service },
    format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
    transports: [new winston.transports.Console()],
  });
}
