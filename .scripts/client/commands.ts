import { text as readAll } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { call } from './call.ts';
import { listen } from './listen.ts';
import { dataOf, send, versionOf } from './service.ts';
import { Misunderstood, NotDone, readLogin, writeLogin } from './settings.ts';

/* The commands of those who call the service: they need no database and no secret of it, only an address and a key. */

type Values = Readonly<Record<string, string | boolean | undefined>>;
type Verb = (values: Values, args: readonly string[], say: (line: string) => void) => Promise<void>;

const text = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const login: Verb = async (values, _args, say) => {
  const url = text(values['url']);
  if (url === undefined || !/^https?:\/\//.test(url)) throw new Misunderstood('login needs --url ADDRESS');
  const variable = text(values['key-env']);
  // Not as an argument: every process on the machine may read those.
  const key = (variable === undefined ? await readAll(process.stdin) : (process.env[variable] ?? '')).trim();
  if (key === '') throw new Misunderstood('the key comes through the standard input, or in the variable of --key-env');
  const version = text(values['version'])?.replace(/^v/, '');
  const wanted = { url: url.replace(/\/$/, ''), key, ...(version === undefined ? {} : { version }) };
  const { status } = await send(wanted, 'GET', `/v${await versionOf(wanted, version)}/knowledge/conditions?limit=1`);
  if (status === 401) throw new NotDone('the service does not take this key');
  const file = await writeLogin(wanted);
  say(values['json'] ? JSON.stringify({ url: wanted.url, file }) : `${wanted.url} is called with this key (${file})`);
};

const versions: Verb = async (values, _args, say) => {
  const data = dataOf<{ versions: Record<string, string | null>[] }>(await send(await readLogin(), 'GET', '/versions'));
  if (values['json']) say(JSON.stringify(data));
  else
    for (const each of data.versions)
      say(
        `${each['version']}  ${String(each['semver']).padEnd(8)}${String(each['status']).padEnd(12)}${each['sunset'] === null ? '' : `until ${each['sunset']}`}`.trimEnd(),
      );
};

const changelog: Verb = async (values, _args, say) => {
  const accept = values['json'] ? 'application/json' : 'text/markdown';
  const reply = await send(await readLogin(), 'GET', '/changelog', { headers: { accept } });
  say(values['json'] ? JSON.stringify(dataOf(reply)) : reply.text.trimEnd());
};

const trigger: Verb = async (values, [id], say) => {
  if (id === undefined) throw new Misunderstood('trigger needs the id of a subscription');
  const known = await readLogin();
  const version = await versionOf(known, text(values['version']));
  const data = dataOf<{ id?: string }>(
    await send(known, 'POST', `/v${version}/webhooks/${encodeURIComponent(id)}/test`),
  );
  say(
    values['json']
      ? JSON.stringify(data)
      : `a test event is on its way${data?.id === undefined ? '' : ` (${data.id})`}`,
  );
};

const verbs: Readonly<Record<string, Verb>> = {
  login,
  versions,
  changelog,
  trigger,
  call: async (values, args, say) => {
    const { version, body, json } = values;
    say(await call(await readLogin(), args, { version: text(version), body: text(body), json: json === true }));
  },
  listen: async (values, _args, say) => {
    const count = text(values['count']);
    if (count !== undefined && !/^[1-9]\d{0,6}$/.test(count)) throw new Misunderstood('--count takes a number');
    const interruption = new AbortController();
    process.once('SIGINT', () => interruption.abort());
    const options = {
      version: text(values['version']),
      forwardTo: text(values['forward-to']),
      kinds: text(values['kinds']),
      secret: text(values['secret']),
      json: values['json'] === true,
      count: count === undefined ? undefined : Number(count),
      signal: interruption.signal,
    };
    await listen(await readLogin(), options, say);
  },
};

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  login: ['url', 'key-env', 'version'],
  versions: [],
  changelog: [],
  trigger: ['version'],
  call: ['version', 'body'],
  listen: ['version', 'forward-to', 'kinds', 'secret', 'count'],
};

/** Runs a command of clients; answers the exit code. */
export function runner(name: keyof typeof OPTIONS & string): { run(args: readonly string[]): Promise<number> } {
  return {
    async run(args) {
      const say = (line: string): void => void process.stdout.write(`${line}\n`);
      try {
        const own = (OPTIONS[name] as readonly string[]).map((each) => [each, { type: 'string' }] as const);
        const options = { ...Object.fromEntries(own), json: { type: 'boolean' } } as const;
        const { values, positionals } = readArguments(args, options);
        await (verbs[name] as Verb)(values, positionals, say);
        return 0;
      } catch (error) {
        if (!(error instanceof Misunderstood) && !(error instanceof NotDone)) throw error;
        process.stderr.write(`${error.message}\n`);
        return error instanceof Misunderstood ? 2 : 1;
      }
    },
  };
}

function readArguments(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, ...(options && { options }) });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new Misunderstood((error as Error).message);
  }
}
