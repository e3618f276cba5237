import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTelemetry } from '@perennial/prisma/telemetry.ts';
import { nameOf } from '@perennial/prisma/trace-statements.ts';
import { readTelemetry } from '@perennial/schemas/platform/telemetry/settings.ts';
import { parseTraceparent } from '@perennial/schemas/platform/telemetry/trace-context.ts';
import { startCore, type TestCore } from '../../support/core.ts';
import { type SeededDatabase, seededDatabase } from '../../support/database.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

interface Sent {
  readonly path: string | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

interface SpanOut {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, string> }[];
}

let collector: Server;
const sent: Sent[] = [];
let database: SeededDatabase;
let core: TestCore;
let gateway: TestGateway;

function settings(environment: Record<string, string>) {
  const mistakes: string[] = [];
  return { read: readTelemetry(environment, (sentence) => mistakes.push(sentence)), mistakes };
}

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      sent.push({ path: request.url, headers: request.headers, body });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const telemetry = settings({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  }).read;
  database = await seededDatabase();
  core = await startCore(database.url, { telemetry, metricsPublic: true });
  gateway = await startTestGateway(core.url, database.url, { config: { telemetry } });
});

afterAll(async () => {
  await gateway.stop();
  await core.stop();
  await database.close();
  await new Promise((resolve) => collector.close(resolve));
});

describe('what OpenTelemetry’s variables ask for', () => {
  test('is nothing where there are none, and nothing is loaded then', async () => {
    expect(settings({}).read).toBeUndefined();
    expect(settings({ OTEL_SERVICE_NAME: 'x' }).read).toBeUndefined();
    expect(settings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }).read).toBeUndefined();
    expect(
      await startTelemetry(
        undefined,
        'x',
        async () => [],
        () => undefined,
      ),
    ).toBeUndefined();
  });

  test('is read as the specification says, and what cannot be done is named without its value', () => {
    const { read, mistakes } = settings({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(mistakes).toEqual([]);
    expect(read).toMatchObject({
      traces: { url: 'http://collector:4318/v1/traces' },
      metrics: undefined,
      sampler: { isParentBased: false, ratio: 0.25 },
    });
    const wrong = settings({ OTEL_TRACES_EXPORTER: 'hunter2', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }).mistakes;
    expect(wrong[0]).toBe('OTEL_TRACES_EXPORTER must be otlp or none');
    expect(wrong.join()).not.toContain('hunter2');
  });

  test.each([
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', true],
    ['01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-of-a-later-version', true],
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more', false],
    ['00-00000000000000000000000000000000-b7ad6b7169203331-01', false],
    ['ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', false],
    ['00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01', false],
    ['', false],
  ])('the traceparent %j is taken: %s', (header, isTaken) => {
    expect(parseTraceparent(header) !== undefined).toBe(isTaken);
  });

  test('a statement is named by its verb and its table, and by nothing that it was asked', () => {
    expect(nameOf({ text: 'SELECT "core"."patients"."id" FROM "core"."patients" WHERE name = $1' })).toBe(
      'SELECT core.patients',
    );
    expect(nameOf('BEGIN')).toBe('BEGIN');
    expect(nameOf(undefined)).toBe('statement');
  });
});

test('a request is one trace through gateway, core and database, which goes on from the client’s', async () => {
  const { demo } = database;
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const answer = await gateway.send('GET', `/v2022-11-15/patients/${demo.patientId}`, {
    key: demo.legacyApiKey,
    headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'x-request-id': 'ward-7/42' },
  });
  expect(answer.status).toBe(200);
  // Its own id is ours; the client's is in the log beside it, where it can be a line of a log at all.
  expect(answer.requestId).toMatch(/^req_/);
  await gateway.send('GET', '/health', { headers: { 'x-request-id': 'two words' } });
  const logged = gateway.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.find(({ requestId }) => requestId === answer.requestId)).toMatchObject({
    clientRequestId: 'ward-7/42',
    traceId,
  });
  expect(gateway.log.join()).not.toContain('two words');
  const ready = await core.call('GET', '/metrics', { caller: null });
  expect(ready.text).toMatch(/perennial_queue_age_seconds\{queue="jobs"\} \d/);
  expect(ready.text).toContain(
    'perennial_core_request_duration_seconds_count{operation="patients.get",status_class="2xx"}',
  );

  await gateway.stop();
  await core.stop();
  expect(sent.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/traces', '/v1/metrics']));
  for (const { headers } of sent) expect(headers['authorization']).toBe('Bearer collector');
  const spans = sent
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: SpanOut[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans));
    })
    .filter((span) => span.traceId === traceId);
  const [outer] = spans.filter(({ name }) => name === 'GET /patients/{id}' || name.startsWith('GET /patients/'));
  expect(outer).toMatchObject({ parentSpanId: 'b7ad6b7169203331', kind: 2 });
  const inner = spans.find(({ name }) => name === 'core patients.get');
  expect(inner?.parentSpanId).toBe(outer?.spanId);
  const statements = spans.filter(({ kind }) => kind === 3);
  expect(
    statements.some(({ name, parentSpanId }) => name.includes('core.patients') && parentSpanId === inner?.spanId),
  ).toBe(true);
  const attributes = Object.fromEntries(
    (outer?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  expect(attributes).toMatchObject({
    'perennial.version': '2022-11-15',
    'perennial.operation': 'patients.get',
    'http.response.status_code': '200',
  });
  // Nothing that a client sent or was answered is in it.
  const everything = sent.map(({ body }) => body).join();
  for (const secret of [demo.patientId, demo.legacyApiKey, 'Okafor']) expect(everything).not.toContain(secret);
  const figures = sent
    .filter(({ path }) => path === '/v1/metrics')
    .map(({ body }) => body)
    .join();
  expect(figures).toContain('"name":"perennial_request_duration_seconds"');
  expect(figures).toContain('"name":"perennial_core_request_duration_seconds"');
});
