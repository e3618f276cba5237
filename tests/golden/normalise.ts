import type { IncomingHttpHeaders } from 'node:http';
import { BOUNDARY } from './body.ts';

/** Headers that a version promises something by. The others are the transport's. */
export const contractHeaders = [
  'content-type',
  'content-disposition',
  'etag',
  'location',
  'content-location',
  'allow',
  'accept',
  'www-authenticate',
  'idempotency-replayed',
  'vary',
  'cache-control',
] as const;

/** Headers that say which version answered and how long it will. They follow from the calendar alone. */
export const lifecycleHeaders = [
  'service-version',
  'service-api-deprecation',
  'service-api-preview',
  'deprecation',
  'sunset',
  'link',
] as const;

/** What differs between two runs of the same code, or may change without a new version. Each has a name. */
export interface Rule {
  readonly name: string;
  /** The text written in place of the value, or undefined where the rule does not apply. */
  apply(value: unknown, path: readonly string[], run: Run): unknown;
}

/** What one run knows. */
export interface Run {
  /** The release that is called, and its label: what is the same at every release is written down once. */
  readonly release: string;
  readonly semver: string;
  /** When it began: instants since then are its own. */
  readonly startedAt: Date;
  /** Identifiers that the seed made: they are the same in every run. */
  readonly seeded: ReadonlySet<string>;
  /** Identifiers that the run made, in the order in which they were seen. */
  readonly made: string[];
}

const ID = /^[a-z]{2,6}_[0-9A-Za-z]{20}$/;
const EVENT_ID = /^(diag_[0-9A-Za-z]{20})\.[\w-]{22}\.(\d+)$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\//;

/** Rules for values in bodies, in order. */
export const rules: readonly Rule[] = [
  {
    name: 'requestId: a new one for every request',
    apply: (_value, path) => (path.length === 1 && path[0] === 'requestId' ? '<requestId>' : undefined),
  },
  {
    name: 'timestamp: when the answer was made',
    apply: (_value, path) => (path.length === 1 && path[0] === 'timestamp' ? '<timestamp>' : undefined),
  },
  {
    name: 'processingTimeMs: how long it took',
    apply: (value, path) =>
      path.join('.') === 'meta.processingTimeMs' && typeof value === 'number' ? '<milliseconds>' : undefined,
  },
  {
    name: 'message: words for people may change at any time',
    apply: (value, path) =>
      path.includes('error') && path.at(-1) === 'message' && typeof value === 'string' ? '<message>' : undefined,
  },
  {
    name: 'cursor: opaque and encrypted anew each time',
    apply: (value, path) => (path.at(-1) === 'next_cursor' && typeof value === 'string' ? '<cursor>' : undefined),
  },
  {
    name: 'secret: random, and never written down',
    apply: (value, path) => (path.at(-1) === 'secret' && typeof value === 'string' ? '<secret>' : undefined),
  },
  {
    name: 'made ids: random, numbered as they appear',
    apply: (value, _path, run) =>
      typeof value === 'string' && ID.test(value) && !run.seeded.has(value) ? madeId(value, run) : undefined,
  },
  {
    name: 'ids of streamed events: a made id, a signature, a number',
    apply: (value, _path, run) => {
      const [, id, number] = typeof value === 'string' ? (EVENT_ID.exec(value) ?? []) : [];
      return id === undefined ? undefined : `${madeId(id, run)}.<signature>.${number}`;
    },
  },
  {
    name: 'paths of jobs: with made ids in them',
    apply: (value, path, run) =>
      path.at(-2) === 'links' && typeof value === 'string' ? withoutIds(value, run) : undefined,
  },
  {
    name: 'addresses: where the gateway listens is chosen anew for each run, and the version is the one that answers',
    apply: (value, _path, run) =>
      typeof value === 'string' && ADDRESS.test(value)
        ? `<gateway>${withoutVersion(value.replace(ADDRESS, '/'), run)}`
        : undefined,
  },
  {
    name: 'the version that answers: written as such, so that only real differences between releases are kept',
    apply: (value, path, { release, semver }) => {
      if (path.join('.') === 'meta.version' && value === semver) return '<semver>';
      return path.at(-1) === 'version' && value === release ? '<release>' : undefined;
    },
  },
  {
    name: 'instants of the run: what was created or changed just now',
    apply: (value, _path, run) =>
      typeof value === 'string' && INSTANT.test(value) && Date.parse(value) >= run.startedAt.getTime() - 1_000
        ? '<now>'
        : undefined,
  },
];

/** A parsed body with every volatile part replaced by its name. */
export function normaliseBody(body: unknown, run: Run, path: readonly string[] = []): unknown {
  for (const rule of rules) {
    const replaced = rule.apply(body, path, run);
    if (replaced !== undefined) return replaced;
  }
  if (Array.isArray(body)) return body.map((each, index) => normaliseBody(each, run, [...path, String(index)]));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, normaliseBody(value, run, [...path, name])]),
  );
}

/** The contract headers of an answer. */
export function normaliseHeaders(headers: IncomingHttpHeaders, run: Run): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name of [...lifecycleHeaders, ...contractHeaders]) {
    const value = headers[name];
    if (value === undefined) continue;
    let text = String(value);
    if (name === 'service-version' && text === run.release) text = '<release>';
    // To which version it is best to migrate changes with every release.
    if (name === 'service-api-deprecation') text = text.replace(/; [^;]*$/, '; <advice>');
    // The revision is the object's; the representation is a hash of the contract, which has locks of its own.
    // Of an entry of the knowledge base, the revision is that of the knowledge.
    if (name === 'etag')
      text = text.replace(/\.[0-9A-Za-z_-]{1,32}"$/, '.<representation>"').replace(/"\d{12,}\./, '"<knowledge>.');
    // Tags were weak when these were recorded; the strong one names the same state, and is taken wherever that was.
    if (name === 'etag' && !text.startsWith('W/') && /^"(?:\d+|<knowledge>)\./.test(text)) text = `W/${text}`;
    // Where other pages are has cursors in it; it has a test of its own.
    if (name === 'link')
      text = text
        .split(', ')
        .filter((link) => !/rel="(?:next|prev|first)"$/.test(link))
        .join(', ');
    if (text === '') continue;
    // Which codings there are is the transport's, as the body's own is.
    if (name === 'vary') text = text.replace(/, Accept-Encoding$/, '');
    if (name === 'content-type') text = text.replace(BOUNDARY, 'boundary=<boundary>');
    // The tag of a picture says with which version of the renderer it was made.
    if (name === 'etag' && /^image\//.test(headers['content-type'] ?? '')) text = '"<picture>"';
    if (name === 'content-disposition')
      text = text.replace(/\b[a-z]{2,6}_[0-9A-Za-z]{20}\b/g, (id) => withoutIds(id, run));
    if (name === 'location' || name === 'content-location') text = withoutIds(text, run);
    result[name] = text;
  }
  return result;
}

/** A path with its version and the ids that the run made replaced. */
function withoutIds(path: string, run: Run): string {
  return withoutVersion(path, run)
    .split('/')
    .map((part) => (ID.test(part) && !run.seeded.has(part) ? madeId(part, run) : part))
    .join('/');
}

/** A path below the version that is called: `/v2023-10-15`, or `/preview/2023-10-15`. */
function withoutVersion(path: string, run: Run): string {
  return path.replace(new RegExp(`^/(v|preview/)${run.release}/`), '/<version>/');
}

function madeId(id: string, run: Run): string {
  if (!run.made.includes(id)) run.made.push(id);
  return `<${id.split('_')[0]}:${run.made.indexOf(id) + 1}>`;
}
