/*
 * Every command of this repository: what runs it, and what `--help` says. `npm run <name>` and `npx perennial <name>` are
 * the same; bootstrap.mjs prints the help, before anything is installed. Plain JavaScript, because it runs first.
 *
 * @typedef {object} Command
 * @property {string} name of the npm script and of the subcommand
 * @property {string} entry what bootstrap.mjs runs
 * @property {readonly string[]} [fixed] arguments that the npm script gives before those of the caller
 * @property {string} summary one line
 * @property {string} [usage] what follows the name
 * @property {readonly (readonly [string, string])[]} [options] and what each means; names end at a space or `=`
 * @property {string} [more] what else there is to know
 * @property {string} [exits] what the exit codes mean beyond 0 done, 1 failed, 2 not understood
 * @property {true} [explainsItself] the entry answers --help on its own, because its verbs have options of their own
 */

const HELP = ['--help', 'prints this'];
const JSON_OUT = ['--json', 'prints one JSON document and nothing else'];
const REFUSED = '0 done, 1 it could not be done, 2 not understood';
const SERVICE = 'Settings are environment variables, or lines of the file that CONFIG_FILE names (docs/operations.md).';

/** @type {readonly Command[]} */
export const COMMANDS = [
  {
    name: 'start',
    entry: '.scripts/start.ts',
    summary: 'database, core and gateway on this machine, with demo data where the database is its own',
    options: [['--config FILE', 'reads settings from the file, as CONFIG_FILE does']],
    more: `${SERVICE} Ctrl-C stops it.`,
  },
  { name: 'core', entry: 'core/main.ts', summary: 'core alone, against DATABASE_URL', more: SERVICE },
  {
    name: 'gateway',
    entry: 'gateway/main.ts',
    summary: 'a gateway alone, before the cores of CORE_URL',
    more: SERVICE,
  },
  {
    name: 'migrate',
    entry: 'prisma/migrate-main.ts',
    summary: 'brings the database up to date, waiting for it and for whoever else does the same',
    options: [
      ['--check', 'changes nothing; exit code 1 where something is to be applied'],
      ['--wait SECONDS', 'how long to wait for a database that does not answer yet (60)'],
      JSON_OUT,
    ],
    more: 'Reads DATABASE_ADMIN_URL or DATABASE_URL, or the embedded server of DATA_DIR, which may be running.',
    exits: '0 up to date, 1 not up to date or not possible, 2 not understood, 75 the database did not answer in time',
  },
  {
    name: 'database',
    entry: 'prisma/prepare-main.ts',
    summary: 'migrates, and gives core and gateway a login of their own',
    options: [
      ['--urls', 'prints where each service connects, passwords and all'],
      ['--forget NAME', 'forgets a fingerprint of what machines share: secrets_key, blob_store or audit_key'],
    ],
    more: 'Reads DATABASE_ADMIN_URL, which owns the tables. Prints JSON.',
  },
  {
    name: 'accounts',
    entry: 'gateway/accounts-main.ts',
    summary: 'accounts and their keys; prints a JSON document a line',
    explainsItself: true,
  },
  {
    name: 'audit:verify',
    entry: 'gateway/audit/verify-main.ts',
    summary: 'whether every chain of the audit trail holds',
    options: [
      ['--without-heads', 'goes on without signed ends, and learns nothing of chains that are gone'],
      ['--json', 'prints a JSON document a chain, and one that counts them'],
    ],
    more: 'Reads DATABASE_ADMIN_URL or DATABASE_URL, AUDIT_KEY and AUDIT_HEADS_FILE, or what lies in DATA_DIR.',
    exits: '0 all hold, 1 one is broken, 2 it could not be read',
  },
  {
    name: 'knowledge',
    entry: '.scripts/perennial.ts',
    fixed: ['knowledge'],
    summary: 'review of the knowledge base, and what a change of it changes',
    explainsItself: true,
  },
  {
    name: 'at-rest',
    entry: '.scripts/perennial.ts',
    fixed: ['at-rest'],
    summary: 'what rests in the shape of releases that are to be deleted, and ends it',
    explainsItself: true,
  },
  {
    name: 'use',
    entry: '.scripts/perennial.ts',
    fixed: ['use'],
    summary: 'who called which operation in which version: counts, a JSON document a line',
    explainsItself: true,
  },
  {
    name: 'proxy',
    entry: '.scripts/perennial.ts',
    fixed: ['proxy'],
    summary: 'every version of an HTTP service that is not ours, from its OpenAPI document and a folder of releases',
    explainsItself: true,
  },
  {
    name: 'login',
    entry: '.scripts/perennial.ts',
    fixed: ['login'],
    summary: 'remembers how a running service is called',
    usage: '--url ADDRESS [--key-env NAME]',
    options: [
      ['--url ADDRESS', 'of the service'],
      ['--key-env NAME', 'the variable that holds the key; it is read from the standard input unless told'],
      ['--version DATE', 'the version that is called from now on'],
      JSON_OUT,
    ],
    more: 'Written for the owner alone, to the file of PERENNIAL_LOGIN or below ~/.config.',
  },
  {
    name: 'call',
    entry: '.scripts/perennial.ts',
    fixed: ['call'],
    summary: 'calls an operation of a running service',
    usage: '[OPERATION] [name=value...]',
    options: [
      ['--version DATE', 'the version that is called; that of login, or the current one, unless told'],
      ['--body JSON', 'the body; @FILE reads it from a file, - from the standard input'],
      ['--json', 'prints the whole answer on one line'],
    ],
    more: 'Without an operation it lists them. PERENNIAL_URL, PERENNIAL_KEY and PERENNIAL_VERSION come before what login wrote down.',
  },
  {
    name: 'versions',
    entry: '.scripts/perennial.ts',
    fixed: ['versions'],
    summary: 'the versions of a running service, and where each stands',
    options: [JSON_OUT],
    more: 'PERENNIAL_URL, PERENNIAL_KEY and PERENNIAL_VERSION come before what login wrote down.',
  },
  {
    name: 'changelog',
    entry: '.scripts/perennial.ts',
    fixed: ['changelog'],
    summary: 'what each version of a running service changed',
    options: [JSON_OUT],
    more: 'PERENNIAL_URL, PERENNIAL_KEY and PERENNIAL_VERSION come before what login wrote down.',
  },
  {
    name: 'listen',
    entry: '.scripts/perennial.ts',
    fixed: ['listen'],
    summary: 'events of a running service as they happen, posted to this machine',
    usage: '[--forward-to ADDRESS]',
    options: [
      ['--forward-to ADDRESS', 'posts each event there, signed as a webhook is'],
      ['--kinds NAMES', 'only events of these kinds, with commas between'],
      ['--secret SECRET', 'what is signed with; a new one unless told'],
      ['--count N', 'ends after so many'],
      ['--version DATE', 'the version that is called; that of login, or the current one, unless told'],
      ['--json', 'prints one JSON document a line'],
    ],
    more: 'Needs no public address and makes no subscription. PERENNIAL_URL, PERENNIAL_KEY and PERENNIAL_VERSION come before what login wrote down.',
  },
  {
    name: 'trigger',
    entry: '.scripts/perennial.ts',
    fixed: ['trigger'],
    summary: 'sends a test event to a subscription',
    usage: 'SUBSCRIPTION',
    options: [
      ['--version DATE', 'the version that is called; that of login, or the current one, unless told'],
      JSON_OUT,
    ],
    more: 'PERENNIAL_URL, PERENNIAL_KEY and PERENNIAL_VERSION come before what login wrote down.',
  },
  {
    name: 'sdk',
    entry: '.scripts/perennial.ts',
    fixed: ['sdk'],
    summary: 'clients for TypeScript and Python, made from the locked contracts',
    explainsItself: true,
  },
  {
    name: 'languages',
    entry: 'core/knowledge/lacks-main.ts',
    summary: 'what the knowledge base lacks in a language',
    usage: 'TAG',
  },
  {
    name: 'release',
    entry: 'translators/cli/main.ts',
    summary: 'making a release: its changes, its contract, its locks',
    explainsItself: true,
  },
  {
    name: 'notices',
    entry: '.scripts/notices.ts',
    summary: 'every package of a production install, with its licence and the text of it',
    options: [JSON_OUT],
  },
  {
    name: 'migration:new',
    entry: 'prisma/new-migration.ts',
    summary: 'writes the SQL from the existing migrations to schema.prisma',
    usage: 'what_it_does',
  },
  {
    name: 'test',
    entry: '.scripts/test.ts',
    summary: 'lint, types and every quick test; with arguments, jest with those',
    usage: '[FILE...] [options of jest]',
    options: [['-t TEXT', 'only tests whose name contains it']],
    more: 'npm run jest -- --help lists the options of jest.',
    exits: '0 everything passed, 1 something failed',
  },
  {
    name: 'test:full',
    entry: '.scripts/test.ts',
    fixed: ['--full'],
    summary: 'the long tests, with what Debian has',
    usage: '[FILE...] [options of jest]',
    exits: '0 everything passed, 1 something failed',
  },
  {
    name: 'test:releases',
    entry: '.scripts/test.ts',
    fixed: ['--config', 'jest.long.config.mjs'],
    summary: 'chains of many releases',
    usage: '[FILE...] [options of jest]',
    exits: '0 everything passed, 1 something failed',
  },
  {
    name: 'test:faults',
    entry: 'tests/faults/loop/main.ts',
    summary: 'kills real processes at random moments, round after round',
    more: 'FAULT_ROUNDS bounds it (10), FAULT_SCENARIOS names those to run, FAULT_SEED repeats an earlier run.',
    exits: '0 no promise broken, 1 one was, 2 not understood',
  },
  {
    name: 'test:load',
    entry: 'tests/load/main.ts',
    summary: "the longest delay of another account's GET while each operation is sent its worst input",
    options: [
      ['--only TEXT', 'only inputs whose name contains it'],
      ['--rounds N', 'each input is sent so often (3)'],
      ['--parallel N', 'so many of them at a time (2)'],
      ['--patients N', 'whom the analytics are asked of (20000)'],
      ['--search N', 'looks for worse inputs, so many tries'],
      ['--salt N', 'another search (1)'],
    ],
  },
  {
    name: 'test:mutations',
    entry: 'tests/mutations/main.ts',
    summary: 'seeds faults into the code, one at a time, and says which tests notice',
    usage: '[TEXT...]',
    options: [
      ['--survivors', 'only those that survived, and those that are new'],
      ['--quick', 'only against suites without a database'],
      ['--at=COMMIT', 'of that commit'],
    ],
  },
  {
    name: 'golden',
    entry: 'tests/golden/main.ts',
    summary: 'exchanges that every version must repeat byte for byte',
    usage: 'record|missing',
  },
  {
    name: 'evaluate',
    entry: 'tests/evaluate/main.ts',
    summary: 'how often answers are right',
    usage: '--cases FILE | --interactions FILE | --context FILE',
    options: [
      ['--cases FILE', 'how often diagnoses are right'],
      ['--interactions FILE', 'how often pairs of medications are judged as authorities do'],
      ['--context FILE', 'how often denials, the past and other people are read rightly'],
      ['--url ADDRESS', 'asks a service instead of one of its own'],
      ['--key-env NAME', 'the variable that holds its API key'],
      JSON_OUT,
    ],
  },
  {
    name: 'bench',
    entry: 'tests/bench/run.ts',
    summary: 'what the gateway costs, beside others that do less',
    options: [
      ['--seconds N', 'length of a round (3)'],
      ['--rounds N', 'rounds of each (5)'],
      ['--connections N', 'enough to keep the processor busy (64)'],
      ['--only NAMES', 'with commas between'],
      ['--profile DIR', 'writes CPU profiles'],
      ['--node FLAGS', 'for their Node.js'],
      ['--quiet', 'waits until nothing else keeps the machine busy'],
      JSON_OUT,
    ],
  },
  {
    name: 'bench:analytics',
    entry: 'tests/bench/analytics.ts',
    summary: 'how long answers about many patients take',
    options: [
      ['--patients N', 'of the account (100000)'],
      ['--rounds N', 'each is asked for so often (5)'],
      ['--database URL', 'instead of one that is made and removed'],
      ['--only TEXT', 'only answers whose title contains it'],
    ],
  },
  {
    name: 'bench:bulk',
    entry: 'tests/bench/bulk.ts',
    summary: 'bulk requests of many operations',
    more: 'BULK_COUNT is how many (10000).',
  },
  { name: 'bench:films', entry: 'tests/bench/films.ts', summary: 'analyses of chest films, and who waits beside them' },
  { name: 'bench:chains', entry: 'tests/bench/chains.ts', summary: 'what a chain of many releases costs' },
  {
    name: 'bench:releases',
    entry: 'tests/bench/releases.ts',
    summary: 'what many releases cost a start and in memory',
    options: [['--rounds N', 'processes of each (5)'], JSON_OUT],
  },
  { name: 'bench:stream', entry: 'tests/bench/stream-memory.ts', summary: 'memory while a large body streams' },
];

/** @returns the command that runs the entry with these first arguments. @param {readonly string[]} args */
export function commandOf(entry, args) {
  const path = entry.replaceAll('\\', '/').replace(/^\.\//, '');
  const fits = COMMANDS.filter(
    (each) => each.entry === path && (each.fixed ?? []).every((word, index) => args[index] === word),
  );
  return fits.sort((a, b) => (b.fixed?.length ?? 0) - (a.fixed?.length ?? 0))[0];
}

/** Whether the caller asks what there is, instead of having it done. @param {readonly string[]} args */
export function asksForHelp(args) {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return own.includes('--help') || own.includes('-h');
}

/** @param {Command} command */
export function helpOf({ name, summary, usage, options = [], more, exits = REFUSED }) {
  const shown = usage ?? (options.length > 0 ? '[options]' : '');
  const all = [...options, HELP];
  const width = Math.max(...all.map(([option]) => option.length)) + 2;
  const lines = all.map(([option, meaning]) => `  ${option.padEnd(width)}${meaning}`);
  return [
    `npm run ${name}${shown === '' ? '' : ` -- ${shown}`}`,
    `npx perennial ${name}${shown === '' ? '' : ` ${shown}`}`,
    '',
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...(more === undefined ? [] : [more]),
    '',
    ...lines,
    '',
    `Exit code: ${exits}.`,
    '',
  ].join('\n');
}
