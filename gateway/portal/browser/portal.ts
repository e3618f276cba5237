/* What every page has: the theme, copying, and lists that choose a page at once. */

const root = document.documentElement;

function currentTheme(): 'light' | 'dark' {
  const chosen = root.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-theme-switch]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const theme = currentTheme() === 'dark' ? 'light' : 'dark';
    root.dataset['theme'] = theme;
    // biome-ignore lint/suspicious/noDocumentCookie: the server draws the next page with it, so that nothing flickers.
    document.cookie = `perennial_theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const text = button.closest('.code')?.querySelector('pre')?.textContent ?? '';
    navigator.clipboard.writeText(text.trimEnd()).then(
      () => say(button, 'Copied'),
      () => say(button, 'Press Ctrl+C'),
    );
  });
}

function say(button: HTMLButtonElement, text: string): void {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => {
    button.textContent = before;
  }, 1_500);
}

for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-submit]'))
  select.addEventListener('change', () => select.form?.requestSubmit());
for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-go]'))
  select.addEventListener('change', () => location.assign(select.value + location.hash));

for (const input of document.querySelectorAll<HTMLInputElement>('input[data-filter]')) {
  const list = document.getElementById(input.dataset['filter'] ?? '');
  const empty = document.getElementById(`${input.dataset['filter']}-empty`);
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of list?.querySelectorAll<HTMLElement>('[data-item]') ?? []) {
      const text = (item.dataset['item'] ?? item.textContent ?? '').toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown += 1;
    }
    if (empty) empty.hidden = shown > 0;
  });
}
