import { hashApiKey } from '@perennial/schemas/platform/credentials.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Request, RequestHandler, Response } from 'express';
import { exchangeOf } from '../exchange.ts';
import { readForm, requireSameOrigin } from './form.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { type Redirect, redirect } from './send.ts';
import { SESSION_COOKIE, SESSION_SECONDS, type Sessions } from './session.ts';

/** Opens a session for the key of the form. @returns the page that says why not; undefined where it was answered. */
export async function signIn(
  request: Request,
  response: Response,
  { authenticate, sessions }: { readonly authenticate: RequestHandler; readonly sessions: Sessions },
): Promise<Page | undefined> {
  requireSameOrigin(request);
  const form = await readForm(request);
  const key = (form.get('key') ?? '').trim().slice(0, 256);
  const exchange = exchangeOf(response);
  exchange.credential = { key, place: 'header' };
  try {
    await new Promise<void>((resolve, reject) => {
      const verified = authenticate(request, response, (error?: unknown) =>
        error === undefined ? resolve() : reject(error),
      ) as unknown;
      if (verified instanceof Promise) verified.catch(reject);
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.status >= 500) throw error;
    return signInPage(
      form.get('to') ?? '',
      error.code === 'credential_missing' ? 'Type a key.' : error.message,
      error.status,
    );
  } finally {
    exchange.credential = undefined;
  }
  const { cookie } = sessions.open(hashApiKey(key));
  const isSecure = request.headers['x-forwarded-proto'] === 'https';
  redirect(response, {
    location: ownPath(form.get('to')) ?? '/',
    cookie: `${SESSION_COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_SECONDS}${isSecure ? '; Secure' : ''}`,
  });
  return undefined;
}

/** Nowhere but to a page of ours. */
function ownPath(text: string | null): string | undefined {
  return text !== null && /^\/portal\/[A-Za-z0-9/_-]*$/.test(text) ? text : undefined;
}

/** The form. @param to where it leads afterwards. */
export function signInPage(to: string, problem?: string, status = 200): Page {
  const body = html`<div class="wrap page-head">
    <h1>Sign in</h1>
    <p class="lead">With an API key of your account. An operator’s key opens the operator’s pages as well.</p>
    ${problem === undefined ? null : html`<div class="notice bad" role="alert"><p>${problem}</p></div>`}
    <form class="card stack" method="post" action="/portal/sign-in" autocomplete="off">
      <input type="hidden" name="to" value=${ownPath(to) ?? ''} />
      <div>
        <label for="key">API key</label>
        <input id="key" name="key" type="password" class="mono" required maxlength="256" autocomplete="off" spellcheck="false" aria-describedby="key-hint" />
        <p class="hint" id="key-hint">The key is checked and forgotten. A cookie that scripts cannot read remembers for eight hours which key it was.</p>
      </div>
      <div class="actions"><button class="primary">Sign in</button></div>
    </form>
  </div>`;
  return { title: 'Sign in', body, status };
}

/** Ends the session on this browser. */
export function signOut(): Redirect {
  return { location: '/', cookie: `${SESSION_COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0` };
}
