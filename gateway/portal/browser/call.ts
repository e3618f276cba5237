/** What the service answered, as a page shows it. */
export interface Reply {
  readonly status: number;
  readonly statusText: string;
  readonly ms: number;
  readonly version: string | null;
  readonly text: string;
  /** `data` of an envelope, if it was one. */
  readonly data: unknown;
}

/** Sends a request and reads its whole answer. @throws when nobody answers. */
export async function ask(path: string, init: RequestInit): Promise<Reply> {
  const begun = performance.now();
  const response = await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
  const text = await response.text();
  let data: unknown;
  let shown = text;
  try {
    const parsed = JSON.parse(text) as { data?: unknown };
    data = parsed.data;
    shown = JSON.stringify(parsed, null, 2);
  } catch {
    // Not JSON: shown as it came.
  }
  return {
    status: response.status,
    statusText: response.statusText,
    ms: Math.round(performance.now() - begun),
    version: response.headers.get('service-version'),
    text: shown.slice(0, 200_000),
    data,
  };
}

/** Draws an answer into a place of the page. */
export function show(place: HTMLElement, reply: Reply): void {
  const box = document.createElement('div');
  box.className = 'code';
  const header = document.createElement('header');
  const pill = document.createElement('span');
  pill.className = `pill ${reply.status < 400 ? 'good' : 'bad'}`;
  pill.textContent = `${reply.status} ${reply.statusText}`;
  const note = document.createElement('span');
  note.textContent = `${reply.ms} ms${reply.version ? ` · v${reply.version}` : ''}`;
  header.append(pill, note);
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', 'The answer');
  const code = document.createElement('code');
  for (const line of (reply.text || '(empty)').split('\n')) {
    const span = document.createElement('span');
    span.className = 'line';
    span.textContent = `${line}\n`;
    code.append(span);
  }
  pre.append(code);
  box.append(header, pre);
  place.replaceChildren(box);
}

/** Says in a place of the page what went wrong. */
export function complain(place: HTMLElement, text: string): void {
  const notice = document.createElement('div');
  notice.className = 'notice bad';
  notice.setAttribute('role', 'alert');
  notice.textContent = text;
  place.replaceChildren(notice);
}
