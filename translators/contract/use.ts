import { isObject } from '@perennial/schemas/platform/json-schema.ts';

/** What an account did with one operation at one version, as `npm run perennial -- use` prints it. No value of anything. */
export interface RecordedUse {
  readonly account: string;
  readonly name: string | null;
  /** The account's pin, `YYYY-MM-DD`. */
  readonly pinned: string | null;
  readonly release: string;
  readonly operation: string;
  readonly client: string;
  readonly count: number;
  readonly last_day: string;
}

/** Reads what was recorded, a JSON object a line. @throws Error naming the line that is none. */
export function readUse(text: string): readonly RecordedUse[] {
  return text.split('\n').flatMap((line, index) => {
    if (!line.startsWith('{')) return [];
    const fault = new Error(`line ${index + 1} is not a record of use`);
    let use: unknown;
    try {
      use = JSON.parse(line);
    } catch {
      throw fault;
    }
    const isUse =
      isObject(use) &&
      ['account', 'release', 'operation'].every((name) => typeof use[name] === 'string') &&
      typeof use['count'] === 'number';
    if (!isUse) throw fault;
    return [use as unknown as RecordedUse];
  });
}

/** The same by account, in the order of their identifiers. */
export function byAccount(uses: readonly RecordedUse[]): ReadonlyMap<string, readonly RecordedUse[]> {
  const accounts = new Map<string, RecordedUse[]>();
  for (const use of [...uses].sort((a, b) => (a.account < b.account ? -1 : 1)))
    accounts.set(use.account, [...(accounts.get(use.account) ?? []), use]);
  return accounts;
}
