import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { OpenApiDocument, OpenApiOperation } from '@perennial/translators/contract/document.ts';
import { documentOf, send, versionOf } from './service.ts';
import { type Login, Misunderstood, NotDone } from './settings.ts';

/** What is asked for on the command line. */
export interface CallOptions {
  readonly version?: string | undefined;
  /** JSON, `@FILE`, or `-` for the standard input. */
  readonly body?: string | undefined;
  readonly json?: boolean | undefined;
}

interface Found {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Calls an operation by its id; `name=value` fills its path, its query and its headers. */
export async function call(login: Login, args: readonly string[], options: CallOptions): Promise<string> {
  const [id, ...given] = args;
  const version = await versionOf(login, options.version);
  const document = await documentOf(login, version);
  const all = operationsOf(document);
  if (id === undefined)
    return all.map(({ operation }) => `${operation.operationId.padEnd(36)}${operation.summary}`).join('\n');
  const found = all.find(({ operation }) => operation.operationId === id);
  if (!found) throw new Misunderstood(`v${version} has no operation ${id}; npx perennial call lists them`);
  const { method, operation } = found;
  const values = valuesOf(given);
  const { path, query, headers } = placed(found, values);
  const body = await bodyOf(options.body);
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  if (body !== undefined && type === undefined) throw new Misunderstood(`${id} takes no body`);
  const target = `/v${version}${path}${query === '' ? '' : `?${query}`}`;
  const reply = await send(login, method, target, {
    headers: { ...headers, ...(type === undefined || body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body }),
  });
  const text = shown(reply.text, options.json === true);
  if (reply.status >= 400) throw new NotDone(text === '' ? `the service answered ${reply.status}` : text);
  return text;
}

function operationsOf(document: OpenApiDocument): readonly Found[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function valuesOf(given: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const each of given) {
    const equals = each.indexOf('=');
    if (equals < 1) throw new Misunderstood(`${each} is not name=value`);
    values.set(each.slice(0, equals), each.slice(equals + 1));
  }
  return values;
}

function placed(
  { path, operation }: Found,
  values: ReadonlyMap<string, string>,
): { readonly path: string; readonly query: string; readonly headers: Record<string, string> } {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const parameters = operation.parameters ?? [];
  let filled = path;
  for (const [name, value] of values) {
    const parameter = parameters.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (!parameter) throw new Misunderstood(`${operation.operationId} has no parameter ${name}`);
    if (parameter.in === 'path') filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(value));
    else if (parameter.in === 'query') query.append(parameter.name, value);
    else headers[parameter.name] = value;
  }
  const missing = /\{([^}]+)\}/.exec(filled)?.[1];
  if (missing !== undefined) throw new Misunderstood(`${operation.operationId} needs ${missing}=…`);
  return { path: filled, query: query.toString(), headers };
}

async function bodyOf(given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return undefined;
  if (given === '-') return readAll(process.stdin);
  if (!given.startsWith('@')) return given;
  return readFile(given.slice(1), 'utf8').catch(() => {
    throw new Misunderstood(`${given.slice(1)} cannot be read`);
  });
}

/** The data alone for people, the whole envelope for programs. What is no envelope goes as it is. */
function shown(text: string, isWhole: boolean): string {
  try {
    const body = JSON.parse(text) as { data?: unknown; error?: unknown };
    return isWhole ? JSON.stringify(body) : JSON.stringify(body.data ?? body.error ?? body, null, 2);
  } catch {
    return text.trimEnd();
  }
}
