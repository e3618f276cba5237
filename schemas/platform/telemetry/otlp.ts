import { hostname } from 'node:os';
import type { Destination, TelemetrySettings } from './settings.ts';

/** Is told, once for each outage, why nothing is received. */
export type SaysTrouble = (why: string) => void;

const TRIES = 3;
const AGAIN_MS = 1_000;
/** Answers by which a collector asks for another try (OTLP, "Failures"). */
const PASSING = new Set([429, 502, 503, 504]);

/** Posts one document after the other. It never rejects: what is measured must not stand in the way of what is done. */
export function createSender(
  { url, headers, timeoutMs }: Destination,
  { serviceName, resource }: TelemetrySettings,
  service: string,
  trouble: SaysTrouble,
): (document: (resource: object) => object) => Promise<void> {
  const attributes = Object.entries({
    'service.name': serviceName ?? service,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'host.name': hostname(),
    'process.pid': String(process.pid),
    'telemetry.sdk.language': 'nodejs',
    ...resource,
  }).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  let isAway = false;
  const post = async (body: string): Promise<string | undefined> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : String(answer.status);
    } catch (error) {
      return (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).name;
    }
  };
  return async (document) => {
    const body = JSON.stringify(document({ attributes }));
    let why: string | undefined;
    for (let tries = 1; tries <= TRIES; tries += 1) {
      why = await post(body);
      if (why === undefined || !PASSING.has(Number(why)) || tries === TRIES) break;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * tries).unref());
    }
    if (why !== undefined && !isAway) trouble(why);
    isAway = why !== undefined;
  };
}
