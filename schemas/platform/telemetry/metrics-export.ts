import { createSender, type SaysTrouble } from './otlp.ts';
import type { TelemetrySettings } from './settings.ts';
import { attributesOf } from './tracing.ts';

/** Figures as a registry of prom-client lists them. */
export interface Listed {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number | undefined>>;
    readonly metricName?: string;
  }[];
}

/**
 * Sends the figures that Prometheus would be shown, every so often, as OTLP.
 * @returns what stops it, and sends them once more; undefined where no metrics are asked for.
 */
export function exportMetrics(
  settings: TelemetrySettings,
  service: string,
  list: () => Promise<readonly Listed[]>,
  trouble: SaysTrouble,
): (() => Promise<void>) | undefined {
  if (!settings.metrics) return undefined;
  const send = createSender(settings.metrics, settings, service, trouble);
  const began = nanoseconds();
  const sendAll = async (): Promise<void> => {
    const metrics = (await list()).flatMap((each) => metricOf(each, began, nanoseconds()) ?? []);
    await send((resource) => ({
      resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'perennial' }, metrics }] }],
    }));
  };
  const timer = setInterval(() => void sendAll().catch(() => undefined), settings.metricsEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await sendAll().catch(() => undefined);
  };
}

function nanoseconds(): string {
  return String(BigInt(Date.now()) * 1_000_000n);
}

function metricOf(
  { name, help, type, values }: Listed,
  startTimeUnixNano: string,
  timeUnixNano: string,
): object | undefined {
  const times = { startTimeUnixNano, timeUnixNano };
  const point = ({ value, labels }: Listed['values'][number]): object => ({
    ...times,
    asDouble: value,
    attributes: attributesOf(labels),
  });
  const common = { name, description: help };
  if (type === 'gauge') return { ...common, gauge: { dataPoints: values.map(point) } };
  if (type === 'counter')
    return { ...common, sum: { dataPoints: values.map(point), aggregationTemporality: 2, isMonotonic: true } };
  if (type !== 'histogram') return undefined;
  return { ...common, histogram: { dataPoints: histograms(values, times), aggregationTemporality: 2 } };
}

/** Prometheus counts in each bucket what lies below its bound; OTLP what lies between two. */
function histograms(values: Listed['values'], times: object): object[] {
  const series = new Map<
    string,
    { labels: Record<string, string | number | undefined>; le: [number, number][]; sum: number; count: number }
  >();
  for (const { value, labels, metricName = '' } of values) {
    const { le, ...rest } = labels;
    const key = JSON.stringify(rest);
    const one = series.get(key) ?? { labels: rest, le: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName.endsWith('_sum')) one.sum = value;
    else if (metricName.endsWith('_count')) one.count = value;
    else if (le !== '+Inf') one.le.push([Number(le), value]);
  }
  return [...series.values()].map(({ labels, le, sum, count }) => {
    const below = [...le.map(([, value]) => value), count];
    return {
      ...times,
      attributes: attributesOf(labels),
      count: String(count),
      sum,
      explicitBounds: le.map(([bound]) => bound),
      bucketCounts: below.map((value, index) => String(value - (below[index - 1] ?? 0))),
    };
  });
}
