import { OPERATOR } from '@perennial/schemas/operation.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { Caller } from '@perennial/schemas/platform/internal-token.ts';
import type { Logger } from '@perennial/schemas/platform/logger.ts';
import type { Request, RequestHandler, Response } from 'express';
import findMyWay from 'find-my-way';
import type { KeyStore } from '../credentials/key-store.ts';
import { exchangeOf } from '../exchange.ts';
import { ASSETS_PATH, createAssets } from './assets.ts';
import { readForm, requireSameOrigin } from './form.ts';
import { html } from './html.ts';
import { type Page, pageHead, type View } from './layout.ts';
import { type Redirect, redirect, send, sendAsset, sendDocument } from './send.ts';
import { cookieOf, type Session, type Sessions } from './session.ts';
import { signIn } from './sign-in.ts';

/** Whoever has signed in. */
export interface SignedIn {
  readonly session: Session;
  readonly caller: Caller;
  readonly isOperator: boolean;
  readonly pinnedRelease: string | undefined;
  /** What a form must carry; another text each time. */
  token(): string;
}

/** What the page of a request is made of. */
export interface Asked extends View {
  readonly request: Request;
  readonly response: Response;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** What a form carried; empty for GET. */
  readonly form: URLSearchParams;
}

/** Answers a request of a browser. */
export type PageHandler = (asked: Asked) => Reply | Promise<Reply>;

/** A page, another place, or a document that a page reads. */
export type Reply = Page | Redirect | { readonly json: string };

/** One page and what opens it. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Who may see it. A form of anybody but `anybody` carries the session's token. */
  readonly for: 'anybody' | 'account' | 'operator';
  readonly handle: PageHandler;
}

/** What the portal is made of. */
export interface PortalParts {
  readonly pages: readonly PageRoute[];
  readonly sessions: Sessions;
  readonly keys: KeyStore;
  /** Verifies the key of the exchange; counts wrong ones. */
  readonly authenticate: RequestHandler;
  readonly logger: Logger;
}

/** Where a signed-in page calls the API with the session instead of a key. */
const CALL = '/portal/call/';
const PORTAL = /^\/portal(?:\/|$)/;

/**
 * The pages for people. Only what a browser asks for is answered here (`Accept: text/html`): to every other client the
 * paths are what they were.
 */
export function portal(parts: PortalParts): RequestHandler {
  const { pages, sessions, keys, authenticate, logger } = parts;
  const assets = createAssets();
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 200 });
  for (const page of pages) router.on(page.method, page.path, () => undefined, page);

  const answer = async (request: Request, response: Response): Promise<void> => {
    const exchange = exchangeOf(response);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const view = await viewOf(request, exchange.path);
    const found = router.find(method as 'GET', exchange.path);
    const route = found?.store as PageRoute | undefined;
    if (!route) return send(request, response, notFound(), view);
    if (route.method === 'POST') requireSameOrigin(request);
    const form = route.method === 'POST' ? await readForm(request) : new URLSearchParams();
    if (route.for !== 'anybody' && !view.signedIn)
      return redirect(response, { location: `/portal/sign-in?to=${encodeURIComponent(exchange.path)}` });
    if (route.for === 'operator' && !view.signedIn?.isOperator) return send(request, response, forbidden(), view);
    if (route.method === 'POST' && route.for !== 'anybody' && !isGenuine(view.signedIn, form))
      throw new Fault('request_malformed');
    const query = new URLSearchParams(exchange.search);
    const page = await route.handle({
      ...view,
      request,
      response,
      parameters: found?.params as Record<string, string>,
      query,
      form,
    });
    if ('location' in page) redirect(response, page);
    else if ('json' in page) await sendDocument(request, response, page.json);
    else await send(request, response, page, view);
  };

  const viewOf = async (request: Request, path: string): Promise<View> => {
    const theme = cookieOf(request.headers, 'perennial_theme');
    const made = await assets();
    const signedIn = await signedInOf(request);
    return { assets: made, signedIn, theme: theme === 'light' || theme === 'dark' ? theme : undefined, path };
  };

  const signedInOf = async (request: Request): Promise<SignedIn | undefined> => {
    const session = sessions.read(request.headers);
    if (!session) return undefined;
    const key = await keys.find(session.keyHash);
    if (!key || (key.expiresAt && key.expiresAt.getTime() <= Date.now())) return undefined;
    const { caller, pinnedRelease } = key;
    return {
      session,
      caller,
      isOperator: caller.scopes.includes(OPERATOR),
      pinnedRelease,
      token: () => sessions.token(session),
    };
  };

  const isGenuine = (signedIn: SignedIn | undefined, form: URLSearchParams): boolean =>
    signedIn !== undefined && sessions.isToken(signedIn.session, form.get('token') ?? '');

  const fail = async (
    error: unknown,
    request: Request,
    response: Response,
    next: (error: unknown) => void,
  ): Promise<void> => {
    if (response.headersSent) return next(error);
    const fault = error instanceof Fault ? error : new Fault('internal_error', { cause: error });
    const exchange = exchangeOf(response);
    exchange.errorCode = fault.code;
    if (fault.status >= 500)
      logger.error('a page failed', {
        requestId: exchange.requestId,
        code: fault.code,
        cause: fault.cause instanceof Error ? fault.cause.name : undefined,
        stack: fault.code === 'internal_error' && fault.cause instanceof Error ? fault.cause.stack : undefined,
      });
    try {
      await send(request, response, failed(fault, exchange.requestId), await viewOf(request, exchange.path));
    } catch {
      // Not even a page that says so can be made: what answers other clients answers here as well.
      next(fault);
    }
  };

  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const { path } = exchange;
    if (path !== '/' && !PORTAL.test(path)) return next();
    if (path.startsWith(ASSETS_PATH) && (request.method === 'GET' || request.method === 'HEAD')) {
      assets().then((made) => sendAsset(request, response, made, path.slice(ASSETS_PATH.length), next), next);
      return;
    }
    if (path.startsWith(CALL) && sessions.read(request.headers)) {
      try {
        call(request, response, sessions);
        next();
      } catch (error) {
        next(error);
      }
      return;
    }
    if (!wantsPage(request)) return next();
    if (path === '/portal/sign-in' && request.method === 'POST') {
      signIn(request, response, { authenticate, sessions })
        .then((shown) =>
          shown === undefined ? undefined : viewOf(request, path).then((view) => send(request, response, shown, view)),
        )
        .catch((error: unknown) => void fail(error, request, response, next));
      return;
    }
    answer(request, response).catch((error: unknown) => void fail(error, request, response, next));
  };
}

/** Whether a browser asks for a page. What takes anything, as most clients do, is answered as an API answers. */
function wantsPage({ method, headers }: Request): boolean {
  const isPageMethod = method === 'GET' || method === 'HEAD' || method === 'POST';
  return isPageMethod && /\btext\/html\b/i.test(headers.accept ?? '');
}

/** Has the request go on as one of the API, with the key of the session: the path is what follows, the token a header. */
function call(request: Request, response: Response, sessions: Sessions): void {
  const exchange = exchangeOf(response);
  const session = sessions.read(request.headers);
  const token = request.headers['x-portal-token'];
  requireSameOrigin(request);
  if (!session || typeof token !== 'string' || !sessions.isToken(session, token)) throw new Fault('request_malformed');
  exchange.path = exchange.path.slice(CALL.length - 1);
  exchange.credential = { key: '', hash: session.keyHash, place: 'header' };
}

function notFound(): Page {
  const body = html`${pageHead('There is no such page', html`What you look for may be under <a href="/">the home page</a>.`)}`;
  return { title: 'Not found', body, status: 404 };
}

function forbidden(): Page {
  const lead = html`The key you signed in with is not an operator’s. <a href="/portal/account">Your account</a> is open to you.`;
  return { title: 'For operators', body: pageHead('This page is for operators', lead), status: 403 };
}

function failed(fault: Fault, requestId: string): Page {
  const body = html`${pageHead('That did not work', fault.message)}
    <div class="wrap"><p>The code is <code>${fault.code}</code>, the request <code>${requestId}</code>. <a href="/">Home</a></p></div>`;
  return { title: 'An error', body, status: fault.status };
}
