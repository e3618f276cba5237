import { AsyncLocalStorage } from 'node:async_hooks';
import { createSender, type SaysTrouble } from './otlp.ts';
import type { TelemetrySettings } from './settings.ts';
import { formatTraceparent, isInShare, newSpanId, newTraceId, type SpanContext } from './trace-context.ts';

/*
 * Traces in the form of OpenTelemetry, sent as OTLP over HTTP in JSON. Loaded only where OTEL_ variables ask for it. Spans
 * carry names of operations, versions, codes and ids; no body, key, path parameter or query value.
 */

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Numbers of OTLP's SpanKind. */
const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
export type SpanKind = keyof typeof KINDS;

/** A piece of work that is being measured. */
export interface Span {
  readonly context: SpanContext;
  readonly traceparent: string;
  set(attributes: Attributes): void;
  /** @param name where it is known better than at the beginning. @param error a code of what went wrong. */
  end(outcome?: { readonly name?: string; readonly error?: string | undefined }): void;
}

export interface Tracing {
  /** @param parent undefined for the work that is under way, or none. */
  start(
    name: string,
    kind: SpanKind,
    options?: { readonly parent?: SpanContext | undefined; readonly attributes?: Attributes },
  ): Span;
  /** What the work starts is part of the span. */
  within<T>(span: Span, work: () => T): T;
  current(): Span | undefined;
  readonly takesContext: boolean;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** A span as OTLP writes it. */
interface Ended {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly object[];
  readonly status: object;
}

/** @param service by which it goes where OTEL_SERVICE_NAME says nothing. @returns undefined where no traces are asked for. */
export function startTracing(settings: TelemetrySettings, service: string, trouble: SaysTrouble): Tracing | undefined {
  if (!settings.traces) return undefined;
  const { sampler, queueMax, batchMax, delayMs } = settings;
  const send = createSender(settings.traces, settings, service, trouble);
  const under = new AsyncLocalStorage<Span>();
  let queue: Ended[] = [];
  let last = Promise.resolve();
  const flush = (): Promise<void> => {
    while (queue.length > 0) {
      const spans = queue.slice(0, batchMax);
      queue = queue.slice(batchMax);
      last = last.then(() =>
        send((resource) => ({
          resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'perennial' }, spans }] }],
        })),
      );
    }
    return last;
  };
  const timer = setInterval(() => void flush(), delayMs).unref();
  const keep = (ended: Ended): void => {
    // What cannot be sent as fast as it comes is dropped: nobody waits for a collector.
    if (queue.length < queueMax) queue.push(ended);
    if (queue.length === batchMax) void flush();
  };
  const decide = (traceId: string, parent: SpanContext | undefined): boolean =>
    parent && sampler.isParentBased ? parent.isSampled : isInShare(traceId, sampler.ratio);

  return {
    takesContext: settings.takesContext,
    start(name, kind, { parent = under.getStore()?.context, attributes = {} } = {}) {
      const traceId = parent?.traceId ?? newTraceId();
      const context = { traceId, spanId: newSpanId(), isSampled: decide(traceId, parent) };
      const began = performance.now();
      const all: Record<string, string | number | boolean | undefined> = { ...attributes };
      let isOver = false;
      return {
        context,
        traceparent: formatTraceparent(context),
        set(more) {
          Object.assign(all, more);
        },
        end({ name: better = name, error } = {}) {
          if (isOver || !context.isSampled) return;
          isOver = true;
          if (error !== undefined) all['error.type'] = error;
          keep({
            traceId,
            spanId: context.spanId,
            ...(parent ? { parentSpanId: parent.spanId } : {}),
            name: better,
            kind: KINDS[kind],
            startTimeUnixNano: nanoseconds(began),
            endTimeUnixNano: nanoseconds(performance.now()),
            attributes: attributesOf(all),
            status: error === undefined ? {} : { code: 2 },
          });
        },
      };
    },
    within: (span, work) => under.run(span, work),
    current: () => under.getStore(),
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** As text, because JSON has no integers of 64 bits. */
function nanoseconds(at: number): string {
  return String(BigInt(Math.round((performance.timeOrigin + at) * 1_000)) * 1_000n);
}

export function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]): object[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}
