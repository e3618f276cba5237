/*
 * Tools for people who look after the service, which are modules and no programs of their own: `run` takes the arguments
 * after the command and answers the exit code: 0 done, 1 it could not be done or found something, 2 not understood.
 * What there is in all, and what `--help` says of it, is in commands.mjs.
 */

type Load = () => Promise<{ run(args: readonly string[]): Promise<number> }>;

const ofClients = (name: string) => async (): Promise<{ run(args: readonly string[]): Promise<number> }> =>
  (await import('./client/commands.ts')).runner(name);

const MODULES: Readonly<Record<string, Load>> = {
  login: ofClients('login'),
  call: ofClients('call'),
  versions: ofClients('versions'),
  changelog: ofClients('changelog'),
  listen: ofClients('listen'),
  trigger: ofClients('trigger'),
  knowledge: () => import('../core/knowledge/review/commands.ts'),
  'at-rest': () => import('../prisma/at-rest-command.ts'),
  use: () => import('../gateway/usage/commands.ts'),
  proxy: () => import('../gateway/proxy/main.ts'),
  sdk: () => import('../translators/contract/sdk/commands.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(MODULES, name) ? MODULES[name] : undefined;
if (load) process.exitCode = await (await load()).run(args);
else {
  process.stderr.write('there is no such command; npx perennial --help lists them\n');
  process.exitCode = 2;
}
