import { parseArgs } from 'node:util';
import { isDay } from '@perennial/schemas/platform/calendar.ts';
import { type LogLevel, logLevels } from '@perennial/schemas/platform/logger.ts';
import { readTrustProxy, type TrustProxy, TrustProxyInvalid } from '../client-address.ts';

/** Everything the proxy can be told. */
export interface ProxySettings {
  readonly upstream: URL;
  /** Folder with `openapi.json` and `index.ts`. */
  readonly releases: string;
  readonly host: string;
  readonly port: number;
  /** `YYYY-MM-DD`, `system`, or undefined for what the history says. */
  readonly date: string | undefined;
  /** How long the service may be silent. */
  readonly timeoutMs: number;
  /** Largest JSON body that is taken, sent and decompressed. */
  readonly bodyBytesMax: number;
  readonly bodyDepthMax: number;
  /** Largest body that is no JSON, such as a file: it is passed on as it comes. */
  readonly uploadBytesMax: number;
  /** Largest answer that is translated; larger ones are refused, never cut. */
  readonly answerBytesMax: number;
  /** Largest element of a stream that is translated. */
  readonly elementBytesMax: number;
  readonly drainTimeoutMs: number;
  readonly logLevel: LogLevel;
  readonly trustProxy: TrustProxy | undefined;
}

/** What was asked for is not understood; one sentence. */
export class SettingsRefused extends Error {
  override readonly name = 'SettingsRefused';
}

const MIB = 1024 * 1024;

/** What is printed for `--help`. */
export const USAGE = `usage: npm run perennial -- proxy --upstream URL --releases DIR [options]

Serves every version of an HTTP service that knows only its newest one. DIR holds openapi.json, the service's own
document, and index.ts, which exports history and releases (docs/proxy.md).

  --port N                  where to listen; 8090, and 0 for any free port
  --host ADDRESS            127.0.0.1
  --date DAY                the day that decides which version is in which state: YYYY-MM-DD or "system"
  --timeout-ms N            how long the service may be silent; 30000
  --body-bytes-max N        largest JSON body; 1 MiB
  --body-depth-max N        deepest JSON body; 64
  --upload-bytes-max N      largest other body; 50 MiB
  --answer-bytes-max N      largest answer that is translated; 32 MiB
  --element-bytes-max N     largest element of a stream; 1 MiB
  --drain-timeout-ms N      how long a stop may take; 10000
  --trust-proxy WHOM        proxies before this one, whose X-Forwarded-For names the client
  --log-level LEVEL         ${logLevels.join(', ')}; info
`;

/** Reads the arguments after the command. @throws {SettingsRefused} */
export function readSettings(args: readonly string[]): ProxySettings | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const whole = (name: keyof typeof values & string, fallback: number, min: number, max: number): number => {
    const given = values[name];
    const value = given === undefined ? fallback : Number(given);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new SettingsRefused(`--${name} is a whole number from ${min} to ${max}`);
    return value;
  };
  if (values.releases === undefined) throw new SettingsRefused('--releases is missing: the folder of the releases');
  const { date } = values;
  if (date !== undefined && date !== 'system' && !isDay(date))
    throw new SettingsRefused('--date is a day that exists, YYYY-MM-DD, or "system"');
  const logLevel = logLevels.find((level) => level === (values['log-level'] ?? 'info'));
  if (!logLevel) throw new SettingsRefused(`--log-level is one of ${logLevels.join(', ')}`);
  return {
    upstream: upstreamOf(values.upstream),
    releases: values.releases,
    host: values.host ?? '127.0.0.1',
    port: whole('port', 8090, 0, 65_535),
    date,
    timeoutMs: whole('timeout-ms', 30_000, 10, 600_000),
    bodyBytesMax: whole('body-bytes-max', MIB, 1024, 100 * MIB),
    bodyDepthMax: whole('body-depth-max', 64, 8, 1000),
    uploadBytesMax: whole('upload-bytes-max', 50 * MIB, 1024, 2_147_483_647),
    answerBytesMax: whole('answer-bytes-max', 32 * MIB, 1024, 1024 * MIB),
    elementBytesMax: whole('element-bytes-max', MIB, 1024, 100 * MIB),
    drainTimeoutMs: whole('drain-timeout-ms', 10_000, 0, 600_000),
    logLevel,
    trustProxy: trustOf(values['trust-proxy']),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        upstream: text,
        releases: text,
        host: text,
        port: text,
        date: text,
        'timeout-ms': text,
        'body-bytes-max': text,
        'body-depth-max': text,
        'upload-bytes-max': text,
        'answer-bytes-max': text,
        'element-bytes-max': text,
        'drain-timeout-ms': text,
        'trust-proxy': text,
        'log-level': text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new SettingsRefused((error as Error).message.split('. To specify')[0] as string);
  }
}

function upstreamOf(text: string | undefined): URL {
  if (text === undefined) throw new SettingsRefused('--upstream is missing: the address of the service');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new SettingsRefused('--upstream is http://host:port or https://host, with a path if need be, and no more');
  return url;
}

function trustOf(text: string | undefined): TrustProxy | undefined {
  try {
    return readTrustProxy(text ?? '');
  } catch (error) {
    if (!(error instanceof TrustProxyInvalid)) throw error;
    throw new SettingsRefused('--trust-proxy is how many proxies stand before this one, or their addresses');
  }
}
