/*
 * What the standard variables of OpenTelemetry ask for (OTEL_…, specification 1.3x, "Environment Variable Specification"
 * and "OTLP Exporter"). None of them set: nothing is loaded, nothing is measured, nothing is sent.
 */

/** Where one kind of data goes. */
export interface Destination {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface TelemetrySettings {
  readonly serviceName: string | undefined;
  readonly resource: Readonly<Record<string, string>>;
  /** Undefined for none. */
  readonly traces: Destination | undefined;
  readonly metrics: Destination | undefined;
  readonly sampler: { readonly isParentBased: boolean; readonly ratio: number };
  /** Whether `traceparent` of callers is believed. */
  readonly takesContext: boolean;
  readonly queueMax: number;
  readonly batchMax: number;
  readonly delayMs: number;
  readonly metricsEveryMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_ENDPOINT = 'http://localhost:4318';

/**
 * @param mistake is told what cannot be done: a sentence that begins with the variable's name and has no value in it.
 * @returns undefined where nothing is to be sent.
 */
export function readTelemetry(
  environment: Environment,
  mistake: (sentence: string) => void,
): TelemetrySettings | undefined {
  const get = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (get('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const isAsked = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER'].some(get);
  if (!isAsked && !get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') && !get('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT'))
    return undefined;

  const number = (name: string, usual: number): number => {
    const text = get(name);
    if (text === undefined) return usual;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    mistake(`${name} must be a whole number`);
    return usual;
  };
  const pairs = (name: string): Record<string, string> => {
    try {
      return pairsOf(get(name) ?? '');
    } catch {
      mistake(`${name} must be pairs name=value with commas between`);
      return {};
    }
  };
  const destination = (signal: 'TRACES' | 'METRICS'): Destination | undefined => {
    const exporter = get(`OTEL_${signal}_EXPORTER`) ?? 'otlp';
    if (exporter === 'none') return undefined;
    if (exporter !== 'otlp') mistake(`OTEL_${signal}_EXPORTER must be otlp or none`);
    const protocol = get(`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`) ?? get('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json';
    // A collector takes both on one port, so that only gRPC would not be understood there.
    if (!['http/json', 'http/protobuf'].includes(protocol))
      mistake(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: the collector’s HTTP port (4318) takes it`);
    const own = get(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
    const base = get('OTEL_EXPORTER_OTLP_ENDPOINT') ?? DEFAULT_ENDPOINT;
    const url = own ?? `${base.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`;
    if (!URL.canParse(url) || !/^https?:/.test(url)) mistake('OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) address');
    return {
      url,
      headers: { ...pairs('OTEL_EXPORTER_OTLP_HEADERS'), ...pairs(`OTEL_EXPORTER_OTLP_${signal}_HEADERS`) },
      timeoutMs: number('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    };
  };
  const traces = destination('TRACES');
  const metrics = destination('METRICS');
  if (!traces && !metrics) return undefined;
  const { 'service.name': named, ...resource } = pairs('OTEL_RESOURCE_ATTRIBUTES');
  return {
    serviceName: get('OTEL_SERVICE_NAME') ?? named,
    resource,
    traces,
    metrics,
    sampler: readSampler(get('OTEL_TRACES_SAMPLER'), get('OTEL_TRACES_SAMPLER_ARG'), mistake),
    takesContext: (get('OTEL_PROPAGATORS') ?? 'tracecontext').split(',').includes('tracecontext'),
    queueMax: number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048),
    batchMax: Math.max(1, number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512)),
    delayMs: Math.max(1, number('OTEL_BSP_SCHEDULE_DELAY', 5_000)),
    metricsEveryMs: Math.max(100, number('OTEL_METRIC_EXPORT_INTERVAL', 60_000)),
  };
}

function readSampler(
  name = 'parentbased_always_on',
  argument: string | undefined,
  mistake: (sentence: string) => void,
): TelemetrySettings['sampler'] {
  const isParentBased = name.startsWith('parentbased_');
  switch (name.replace('parentbased_', '')) {
    case 'always_on':
      return { isParentBased, ratio: 1 };
    case 'always_off':
      return { isParentBased, ratio: 0 };
    case 'traceidratio': {
      const ratio = Number(argument ?? 1);
      if (ratio >= 0 && ratio <= 1) return { isParentBased, ratio };
      mistake('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
      return { isParentBased, ratio: 1 };
    }
    default:
      mistake('OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them after parentbased_');
      return { isParentBased, ratio: 1 };
  }
}

/** As W3C Baggage writes them. @throws URIError for what cannot be decoded; Error for what is no pair. */
function pairsOf(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const each of text.split(',').filter((part) => part.trim() !== '')) {
    const at = each.indexOf('=');
    if (at <= 0) throw new Error('no pair');
    pairs[decodeURIComponent(each.slice(0, at).trim())] = decodeURIComponent(each.slice(at + 1).trim());
  }
  return pairs;
}
