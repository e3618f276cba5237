import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { adminPaths } from './admin/document.ts';

/*
 * What is served beside the API: pages about the service, which anybody may read, and those for whoever runs it. They
 * have no version, so they stand in a document of their own, `/openapi/operators.json`.
 */

interface PageEntry {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'account' | 'service' | 'operators';
  readonly query?: readonly string[];
  /** Of what `data` holds; `text` for an answer without an envelope. */
  readonly data: Readonly<Record<string, JsonSchema>> | 'text' | 'json';
  readonly errors?: readonly number[];
}

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };
const textOrNull: JsonSchema = { type: ['string', 'null'] };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const rows: JsonSchema = { type: 'array', items: { type: 'object', additionalProperties: true } };
const days = { days: { type: 'integer', minimum: 1, maximum: 400, default: 30 } satisfies JsonSchema };

const parameters: Readonly<
  Record<string, { readonly description: string; readonly required: boolean; schema: JsonSchema }>
> = {
  version: { description: 'A release, with or without its `v`.', required: true, schema: text },
  to: { description: 'The release that the account would move to.', required: true, schema: text },
  account: { description: 'Identifier of the account.', required: true, schema: text },
  days: { description: 'How many days back, today included.', required: false, schema: days.days },
  file: { description: '`<release>.json`, or `operators.json`.', required: true, schema: text },
};

const pages: Readonly<Record<string, PageEntry>> = {
  '/health': {
    id: 'service.health',
    summary: 'Whether the process answers',
    description: 'Asks nobody else: a load balancer may call it as often as it likes.',
    tag: 'service',
    data: { status: { const: 'ok' } },
  },
  '/ready': {
    id: 'service.ready',
    summary: 'Whether the gateway can do its work',
    description: '503 while core or the database cannot be reached, and from the first moment of a stop.',
    tag: 'service',
    data: {
      status: { type: 'string', enum: ['ready', 'not_ready', 'stopping'] },
      checks: { type: 'object', additionalProperties: text },
    },
    errors: [503],
  },
  '/versions': {
    id: 'service.versions',
    summary: 'List the versions of the API',
    description:
      'Every version that exists on the service date, newest first, with its state, its dates and its document.',
    tag: 'service',
    data: { service_date: text, service_date_source: text, warning: text, versions: rows },
  },
  '/errors': {
    id: 'service.errors',
    summary: 'List the error codes',
    description: 'Codes with status and message, those that older versions use for them, and the codes of details.',
    tag: 'service',
    data: { codes: rows, detail_codes: rows },
  },
  '/changelog': {
    id: 'service.changelog',
    summary: 'What each version changed',
    description: 'Markdown, or JSON where Accept prefers it.',
    tag: 'service',
    data: 'text',
  },
  '/openapi/{file}': {
    id: 'service.document',
    summary: 'Get an OpenAPI document',
    description: 'The document of a version, or this one. It carries a strong ETag.',
    tag: 'service',
    query: ['file'],
    data: 'json',
    errors: [404],
  },
  '/account/deprecations': {
    id: 'account.deprecations',
    summary: 'What the account uses that has a successor',
    description:
      'Versions and operations that keys of the account used in the last 30 days, which end first first: `fine`, `act` until `act_by`, or `overdue`, each with the changes of the current version.',
    tag: 'account',
    data: { days: count, current: text, keys_refused: count, versions: rows },
    errors: [401],
  },
  '/admin/usage': {
    id: 'operators.usage',
    summary: 'Who uses a version',
    description:
      'Use of a version by account, operation and client; those who use it least are left out past a thousand.',
    tag: 'operators',
    query: ['version', 'days'],
    data: { ...days, version: text, state: text, since: text, items: rows, has_more: { type: 'boolean' } },
    errors: [401, 403, 422],
  },
  '/admin/upgrade': {
    id: 'operators.upgrade',
    summary: 'What an account would meet in another version',
    description: 'The changes that touch what the account has used, and how many of its keys the version refuses.',
    tag: 'operators',
    query: ['account', 'to', 'days'],
    data: {
      ...days,
      account: text,
      account_name: text,
      pinned: textOrNull,
      to: text,
      since: text,
      changes: rows,
      uses: rows,
      keys_refused: count,
    },
    errors: [401, 403, 404, 422],
  },
  '/admin/retirement': {
    id: 'operators.retirement',
    summary: 'Whether a version can be retired',
    description: 'What still stands in the way of its sunset: dates, users, pinned accounts.',
    tag: 'operators',
    query: ['version', 'days'],
    data: {
      ...days,
      version: text,
      state: text,
      deprecated: textOrNull,
      sunset: textOrNull,
      not_before: textOrNull,
      safe: { type: 'boolean' },
      reasons: texts,
      since: text,
      last_use: textOrNull,
      counted_since: textOrNull,
      users: rows,
      pinned_accounts: texts,
    },
    errors: [401, 403, 422],
  },
  '/metrics': {
    id: 'operators.metrics',
    summary: 'Metrics for Prometheus',
    description: 'With a key of an operator, or for anybody where the installation says so (`METRICS_PUBLIC`).',
    tag: 'operators',
    data: 'text',
    errors: [401, 403],
  },
};

/** The document of what has no version. @param base address of the service. @param semver what `meta.version` says. */
export function operatorsDocument(base: string, semver: string): string {
  const paths = Object.entries(pages).map(([path, page]) => [path, { get: operationOf(path, page) }]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Perennial: about the service',
      version: semver,
      description:
        'Pages about the service and for whoever runs it. They have no version, and change by addition only.',
      contact: { name: 'The platform team' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base === '' ? '/' : base, description: 'This service' }],
    tags: [
      { name: 'account', description: 'For any key: what is known of its own account.' },
      { name: 'operators', description: 'For whoever runs the service: a key of an operator opens them.' },
      { name: 'service', description: 'For anybody: no key, no version.' },
    ],
    paths: { ...Object.fromEntries(paths), ...adminPaths(envelopeOf({}, 'data')) },
    components: {
      schemas: { ErrorEnvelope: envelopeOf({ code: text, message: text }, 'error') },
      responses: {
        Failed: {
          description: 'Why it failed; `GET /errors` lists the codes.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A key of the account.' },
        operator: { type: 'http', scheme: 'bearer', description: 'A key with the scope `operator`.' },
      },
    },
  });
}

function operationOf(path: string, page: PageEntry): object {
  const { id, summary, description, tag, query = [], data, errors = [] } = page;
  const listed = query.map((name) => ({
    name,
    in: path.includes(`{${name}}`) ? 'path' : 'query',
    ...parameters[name],
  }));
  const content =
    data === 'text'
      ? { 'text/plain': { schema: text } }
      : { 'application/json': { schema: data === 'json' ? { type: 'object' } : envelopeOf(data, 'data') } };
  return {
    operationId: id,
    summary,
    description,
    tags: [tag],
    security: tag === 'operators' ? [{ operator: [] }] : tag === 'account' ? [{ bearer: [] }] : [],
    ...(listed.length > 0 ? { parameters: listed } : {}),
    responses: {
      200: { description: summary, content: path === '/changelog' ? { 'text/markdown': { schema: text } } : content },
      // Every page can be asked too often or in a way that cannot be read.
      ...Object.fromEntries([400, ...errors].map((status) => [status, { $ref: '#/components/responses/Failed' }])),
    },
  };
}

function envelopeOf(members: Readonly<Record<string, JsonSchema>>, member: 'data' | 'error'): JsonSchema {
  const required = ['requestId', 'timestamp', 'meta', member];
  return {
    type: 'object',
    properties: {
      requestId: text,
      timestamp: { type: 'string', format: 'date-time' },
      meta: { type: 'object', properties: { processingTimeMs: count, version: text } },
      [member]: { type: 'object', properties: members },
    },
    required,
  };
}
