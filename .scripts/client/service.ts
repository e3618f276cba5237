import type { OpenApiDocument } from '@perennial/translators/contract/document.ts';
import { type Login, Misunderstood, NotDone } from './settings.ts';

/** An answer of the service. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const TIMEOUT_MS = 60_000;

/** Sends one request. @throws {NotDone} when no answer comes. */
export async function send(login: Login, method: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const headers = new Headers(init.headers);
  if (login.key !== '') headers.set('authorization', `Bearer ${login.key}`);
  headers.set('x-service-client', 'perennial-cli/1.0');
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${login.url}${path}`, { signal, ...init, method, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    throw new NotDone(`${login.url} does not answer`);
  }
}

/** `data` of a success. @throws {NotDone} with what the service said. */
export function dataOf<T>({ status, text }: Reply): T {
  let body: { readonly data?: T; readonly error?: { readonly code: string; readonly message: string } } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // What is not JSON is told by its status.
  }
  if (status < 400) return body.data as T;
  throw new NotDone(
    body.error ? `${status} ${body.error.code}: ${body.error.message}` : `the service answered ${status}`,
  );
}

/** The version that is called, as the service names it: that of the caller, or the current one. */
export async function versionOf(login: Login, asked: string | undefined): Promise<string> {
  const wanted = (asked ?? login.version)?.replace(/^v/, '');
  if (wanted !== undefined) {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(wanted)) throw new Misunderstood(`${wanted} is no version; one is 2023-10-15`);
    return wanted;
  }
  const { versions } = dataOf<{ versions: { version: string; status: string }[] }>(
    await send(login, 'GET', '/versions'),
  );
  const current = versions.find(({ status }) => status === 'current');
  if (!current) throw new NotDone('the service has no current version');
  return current.version.slice(1);
}

/** The document of a version, which says how its operations are called. */
export async function documentOf(login: Login, version: string): Promise<OpenApiDocument> {
  const { status, text } = await send(login, 'GET', `/openapi/${version}.json`);
  if (status !== 200) throw new NotDone(`the service has no version ${version}`);
  return JSON.parse(text) as OpenApiDocument;
}
