import { ask, complain, show } from './call.ts';

/* Draws the reference, keeps the reader's place between versions, and sends what is tried. */

interface Viewer {
  init(document: unknown, options: object, place: Element | null, done?: () => void): void;
}

const place = document.getElementById('viewer');
const dark =
  getComputedStyle(document.documentElement).colorScheme === 'dark' ||
  (document.documentElement.dataset['theme'] ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

async function draw(into: HTMLElement): Promise<void> {
  const viewer = (globalThis as unknown as { Redoc?: Viewer }).Redoc;
  try {
    const response = await fetch(into.dataset['document'] ?? '', { headers: { accept: 'text/html' } });
    if (!response.ok || !viewer) throw new Error('no document');
    const colors = dark
      ? {
          text: { primary: '#e8efe9', secondary: '#a3b2a8' },
          primary: { main: '#6ee7a0' },
          border: { dark: '#26312a', light: '#26312a' },
          success: { main: '#6ee7a0' },
          error: { main: '#ff9d96' },
          gray: { 50: '#131a16', 100: '#1b241f' },
        }
      : { text: { primary: '#15201a', secondary: '#4d5c53' }, primary: { main: '#15653b' } };
    const options = {
      disableSearch: true,
      hideDownloadButtons: true,
      hideLoading: true,
      nativeScrollbars: true,
      scrollYOffset: 70,
      theme: {
        colors,
        typography: {
          fontFamily: 'Inter, sans-serif',
          fontSize: '15px',
          headings: { fontFamily: 'Inter, sans-serif' },
          code: {
            fontFamily: '"JetBrains Mono", monospace',
            color: dark ? '#e8efe9' : '#15201a',
            backgroundColor: dark ? '#0f1612' : '#f2f5f1',
          },
        },
        sidebar: {
          backgroundColor: dark ? '#131a16' : '#ffffff',
          textColor: dark ? '#e8efe9' : '#15201a',
          activeTextColor: dark ? '#6ee7a0' : '#15653b',
        },
        rightPanel: { backgroundColor: '#12211a', textColor: '#f2f7f3' },
        schema: {
          nestedBackground: dark ? '#0f1612' : '#f6f8f5',
          typeNameColor: dark ? '#a3b2a8' : '#4d5c53',
          typeTitleColor: dark ? '#a3b2a8' : '#4d5c53',
        },
      },
    };
    viewer.init(await response.json(), options, into);
  } catch {
    complain(into, 'The reference could not be loaded. Try again in a moment.');
  }
}

if (place) void draw(place);

document.querySelector<HTMLSelectElement>('select[data-jump]')?.addEventListener('change', ({ currentTarget }) => {
  const { value } = currentTarget as HTMLSelectElement;
  if (value !== '') location.hash = `operation/${value}`;
});

const form = document.querySelector<HTMLFormElement>('form[data-try]');
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void send(form);
});

async function send(from: HTMLFormElement): Promise<void> {
  const fields = new FormData(from);
  const reply = from.querySelector<HTMLElement>('[data-reply]');
  const button = from.querySelector<HTMLButtonElement>('button');
  if (!reply || !button) return;
  const method = String(fields.get('method'));
  const path = String(fields.get('path')).trim();
  const body = String(fields.get('body') ?? '').trim();
  if (!path.startsWith('/')) return complain(reply, 'The path begins with a slash.');
  button.disabled = true;
  try {
    const headers: Record<string, string> = { authorization: `Bearer ${String(fields.get('key')).trim()}` };
    if (body !== '') headers['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    show(
      reply,
      await ask(`${from.dataset['prefix']}${path}`, {
        method,
        headers,
        ...(body === '' || method === 'GET' ? {} : { body }),
      }),
    );
  } catch {
    complain(reply, 'Nobody answered. Is the gateway still running?');
  } finally {
    button.disabled = false;
  }
}
