import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** How the service is called: what `login` wrote down, or what the environment says, which comes first. */
export interface Login {
  readonly url: string;
  readonly key: string;
  /** `YYYY-MM-DD`; the account's own where there is none. */
  readonly version?: string;
}

/** Not understood: exit code 2. */
export class Misunderstood extends Error {
  override readonly name = 'Misunderstood';
}

/** It could not be done: exit code 1. */
export class NotDone extends Error {
  override readonly name = 'NotDone';
}

/** Where `login` writes. */
export function loginFile(): string {
  const { XDG_CONFIG_HOME: config, PERENNIAL_LOGIN: file } = process.env;
  return file ?? join(config ?? join(homedir(), '.config'), 'perennial', 'login.json');
}

/** For the owner alone: there is a key in it. */
export async function writeLogin(login: Login): Promise<string> {
  const file = loginFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return file;
}

export async function readLogin(): Promise<Login> {
  const { PERENNIAL_URL: url, PERENNIAL_KEY: key, PERENNIAL_VERSION: version } = process.env;
  const text = await readFile(loginFile(), 'utf8').catch(() => '{}');
  const known = JSON.parse(text) as Partial<Login>;
  const login = { ...known, ...(url && { url }), ...(key && { key }), ...(version && { version }) };
  if (!login.url) throw new NotDone('no service is known: npx perennial login --url ADDRESS');
  return { ...login, url: login.url.replace(/\/$/, ''), key: login.key ?? '' };
}
