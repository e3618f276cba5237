import { ask, complain, show } from './call.ts';

/* Sends what was followed, with the session, when the reader asks for it; a real answer can then be followed as well. */

const form = document.querySelector<HTMLFormElement>('form[data-translation]');
const button = form?.querySelector<HTMLButtonElement>('[data-send]');
const place = form?.querySelector<HTMLElement>('[data-sent]');

if (form && button && place) {
  button.hidden = false;
  button.addEventListener('click', () => void send(form, button, place));
}

async function send(from: HTMLFormElement, pressed: HTMLButtonElement, to: HTMLElement): Promise<void> {
  const { token = '', release = '', head = '' } = from.dataset;
  const fields = new FormData(from);
  const method = String(fields.get('method'));
  const target = String(fields.get('target'));
  const body = String(fields.get('body') ?? '');
  if (method !== 'GET' && !confirm(`Send ${method} ${target.split('?')[0]}? The service will carry it out.`)) return;
  pressed.disabled = true;
  try {
    const headers: Record<string, string> = { 'x-portal-token': token };
    if (body !== '') headers['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const init = { method, headers, ...(body === '' ? {} : { body }) };
    const reply = await ask(`/portal/call/v${release}${target}`, init);
    show(to, reply);
    if (method !== 'GET' || reply.status >= 400) return;
    // The service's own answer is that of the newest version, which nothing translates.
    const path = target.split('?')[0] ?? '';
    const own = await ask(`/portal/call/v${head}${path}`, { method, headers });
    const field = from.querySelector<HTMLTextAreaElement>('[name="answer"]');
    if (own.status >= 400 || own.data === undefined || !field) return;
    field.value = JSON.stringify(own.data, null, 2);
    const details = field.closest('details');
    if (details) details.open = true;
  } catch {
    complain(to, 'Nobody answered. Is the gateway still running?');
  } finally {
    pressed.disabled = false;
  }
}
