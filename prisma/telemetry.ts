import type { Listed } from '@perennial/schemas/platform/telemetry/metrics-export.ts';
import type { TelemetrySettings } from '@perennial/schemas/platform/telemetry/settings.ts';
import type { Tracing } from '@perennial/schemas/platform/telemetry/tracing.ts';

/** What sends traces and metrics. */
export interface Telemetry {
  /** Undefined where only metrics are asked for. */
  readonly tracing: Tracing | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/**
 * Loads what sends traces and metrics, and has it measure statements as well. Nothing of it is loaded where the
 * variables of OpenTelemetry ask for nothing.
 * @param list the figures that Prometheus is shown.
 * @param trouble is told why nothing is received, once for each outage.
 */
export async function startTelemetry(
  settings: TelemetrySettings | undefined,
  service: string,
  list: () => Promise<readonly Listed[]>,
  trouble: (why: string) => void,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined;
  const [{ startTracing }, { exportMetrics }, { traceStatements }] = await Promise.all([
    import('@perennial/schemas/platform/telemetry/tracing.ts'),
    import('@perennial/schemas/platform/telemetry/metrics-export.ts'),
    import('./trace-statements.ts'),
  ]);
  const tracing = startTracing(settings, service, trouble);
  const untrace = tracing ? traceStatements(tracing) : undefined;
  const stopMetrics = exportMetrics(settings, service, list, trouble);
  return {
    tracing,
    async stop() {
      untrace?.();
      await Promise.all([tracing?.stop(), stopMetrics?.()]);
    },
  };
}
