/*
 * node .scripts/bootstrap.mjs <entry.ts> [arguments]
 *
 * Makes a fresh clone runnable, then runs the entry on the Node.js that the repository pins. Plain JavaScript without
 * dependencies, because it runs before anything is installed, on whatever Node.js >= 20 the machine has.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asksForHelp, commandOf, helpOf } from './commands.mjs';
import { endWithNpm } from './parent.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
const pinnedNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
const installStamp = join(root, 'node_modules', '.perennial-install');
/** So that no entry stays when this process is killed. */
const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href;
const clientStamp = join(root, 'prisma', 'generated', '.perennial-client');

/** Programs that need the development tools. Whatever else is run needs none of them, and does without. */
const DEVELOPMENT = /^(tests\/|translators\/cli\/|\.scripts\/test\.ts$|prisma\/new-migration\.ts$)/;

/** What npm says when another npm changes the same folder. */
const COLLISION = /ENOTEMPTY|EEXIST|ENOENT|EBUSY/;

/** A fault that its message explains; no stack is printed. */
class Refusal extends Error {}

try {
  const [entry, ...args] = process.argv.slice(2);
  if (entry === undefined) throw new Refusal('usage: node .scripts/bootstrap.mjs <entry.ts> [arguments]');
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Refusal(`Node.js 20 or newer is needed; this is ${process.versions.node}`);
  }
  process.chdir(root);
  const command = commandOf(entry, args);
  if (command && !command.explainsItself && asksForHelp(args)) process.stdout.write(helpOf(command));
  else await prepareAndRun(entry, args);
} catch (error) {
  process.stderr.write(`perennial: ${error instanceof Refusal ? error.message : (error?.stack ?? error)}\n`);
  process.exitCode = 1;
}

async function prepareAndRun(entry, args) {
  endWithNpm();
  const isForDevelopment = DEVELOPMENT.test(entry.replaceAll('\\', '/'));
  if (!isInstalled(isForDevelopment) || !isGenerated()) await prepare(isForDevelopment);
  const status = await runEntry(entry, args);
  // Ended by a signal: end in the same way, so that the caller sees the same.
  if (typeof status === 'string') process.kill(process.pid, status);
  else process.exitCode = status;
}

/** Installs and generates. Of several at once one does the work, and the others wait and find it done. */
async function prepare(isForDevelopment) {
  const lock = await takeLock();
  try {
    if (!isInstalled(isForDevelopment)) {
      const what = isForDevelopment ? 'dependencies and development tools' : 'dependencies';
      process.stderr.write(`perennial: installing ${what}; this is done once\n`);
      // Tools that are there are kept.
      await install(isForDevelopment || existsSync(join(root, 'node_modules', 'jest')));
    }
    if (!isGenerated()) await generate();
  } finally {
    lock.close();
  }
}

/** With the development tools, all that is needed without them is there as well. */
function isInstalled(isForDevelopment) {
  if (!existsSync(pinnedNode)) return false;
  const stamp = readText(installStamp);
  if (stamp === stampOf(true) || (stamp === stampOf(false) && !isForDevelopment)) return true;
  // Installed by hand with npm, which leaves its own record. The stamp spares the comparison next time.
  const withTools = matchesLockfile(true);
  if (!withTools && (isForDevelopment || !matchesLockfile(false))) return false;
  writeFileSync(installStamp, stampOf(withTools));
  return true;
}

function stampOf(withTools) {
  return `${digest('package-lock.json')}${withTools ? '' : ' without development tools'}`;
}

/** Whether npm's record of node_modules, written when an installation is complete, agrees with the lock file. */
function matchesLockfile(withTools) {
  const record = readText(join(root, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    // Workspaces are ours, and optional packages are for other machines.
    if (!path.includes('node_modules/') || entry.link || entry.optional || entry.devOptional || entry.peer) return true;
    if (entry.dev && !withTools) return true;
    return installed[path]?.version === entry.version;
  });
}

async function install(isForDevelopment) {
  const kind = isForDevelopment ? '--include=dev' : '--omit=dev';
  // Beside services that run from it, an installation is only added to: `ci` would take it away first.
  let outcome =
    isForDevelopment && isInstalled(false) ? await npm('install', '--no-save', kind) : await npm('ci', kind);
  if (outcome.status !== 0 && outcome.output.includes('EUSAGE')) {
    // The lock file was written where the registry has not every platform's packages, and `ci` takes their absence for
    // a mistake. `install` keeps to the same versions and only adds what this platform needs.
    outcome = await npm('install', '--no-save', kind);
  }
  // A start that was killed leaves its npm at work, and two in one folder trip over each other: let it finish.
  for (let tries = 0; tries < 6 && outcome.status !== 0 && COLLISION.test(outcome.output); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    outcome = matchesLockfile(isForDevelopment) ? { status: 0, output: '' } : await npm('install', '--no-save', kind);
  }
  if (outcome.status !== 0) {
    process.stderr.write(outcome.output);
    throw new Refusal(`npm could not install the dependencies (${describe(outcome.status)}); its messages are above`);
  }
  if (!existsSync(pinnedNode)) {
    throw new Refusal('npm installed no Node.js 24 (package "node"); allow its install script and run `npm ci` again');
  }
  writeFileSync(installStamp, stampOf(isForDevelopment));
}

function npm(...args) {
  const { command, before } = findNpm();
  return run(command, [...before, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    // Prisma's command line would fetch an engine that nothing here uses; naming any program tells it not to.
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** npm as a program that needs no shell: the one that runs this, or the one beside this Node.js, or the one on PATH. */
function findNpm() {
  const beside = windows ? ['node_modules'] : ['..', 'lib', 'node_modules'];
  const candidates = [process.env.npm_execpath, join(dirname(process.execPath), ...beside, 'npm', 'bin', 'npm-cli.js')];
  const script = candidates.find((path) => path?.endsWith('npm-cli.js') && existsSync(path));
  return script === undefined ? { command: 'npm', before: [] } : { command: process.execPath, before: [script] };
}

function isGenerated() {
  return readText(clientStamp) === clientDigest();
}

/** What the generated client depends on: the schema, and the Prisma that reads it. */
function clientDigest() {
  const prisma = readText(join(root, 'node_modules', 'prisma', 'package.json')) ?? '';
  const version = /"version":\s*"([^"]+)"/.exec(prisma)?.[1];
  return `${digest(join('prisma', 'schema.prisma'))} ${version}`;
}

async function generate() {
  const cli = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const outcome = await run(pinnedNode, [cli, 'generate', '--config', join('prisma', 'prisma.config.ts')], {
    env: {
      ...process.env,
      // Generating needs no schema engine; naming any program keeps Prisma from fetching one.
      PRISMA_SCHEMA_ENGINE_BINARY: pinnedNode,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (outcome.status !== 0) {
    process.stderr.write(outcome.output);
    throw new Refusal(`prisma generate failed (${describe(outcome.status)}); its messages are above`);
  }
  writeFileSync(clientStamp, clientDigest());
}

/**
 * Runs the entry and returns its exit code or the signal that ended it. It has a process group of its own and hears
 * each signal from here, once: Ctrl-C would otherwise reach it from the terminal, from npm and from here.
 */
async function runEntry(entry, args) {
  const forwarded = new Set();
  const child = spawn(pinnedNode, ['--import', endWithParent, entry, ...args], {
    cwd: root,
    detached: !windows,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // What the entry says on the channel is for a supervisor.
  child.on('message', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      if (!forwarded.has(signal)) child.kill(signal);
      forwarded.add(signal);
    });
  }
  const status = await new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Refusal(`${pinnedNode} does not run: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.removeAllListeners(signal);
  return status;
}

/** Runs a program to its end. A signal meanwhile ends it and then this process. */
async function run(command, args, options) {
  const interruptions = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const { status, output, interruptedBy } = await new Promise((resolve, reject) => {
    let output = '';
    let interruptedBy;
    const child = spawn(command, args, { cwd: root, ...options });
    for (const signal of interruptions) {
      process.on(signal, () => {
        interruptedBy = signal;
        child.kill(signal);
      });
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', (error) => reject(new Refusal(`${command} does not run: ${error.message}`)));
    child.once('close', (code, signal) => resolve({ status: signal ?? code, output, interruptedBy }));
  });
  for (const signal of interruptions) process.removeAllListeners(signal);
  if (interruptedBy !== undefined) {
    process.kill(process.pid, interruptedBy);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return { status, output };
}

/** A listening socket as the lock: the system gives it back however its holder ends. */
async function takeLock() {
  const name = `perennial-bootstrap-${createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 24)}`;
  const path =
    process.platform === 'linux' ? `\0${name}` : windows ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  const waiting = new Set();
  for (let told = false; ; told = true) {
    const server = await new Promise((resolve, reject) => {
      const attempt = createServer((socket) => waiting.add(socket.on('error', () => undefined).resume()));
      attempt.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
      attempt.listen(path, () => resolve(attempt));
    });
    if (server !== undefined) {
      server.unref();
      return {
        close: () => {
          server.close();
          for (const socket of waiting) socket.destroy();
        },
      };
    }
    if (!told) process.stderr.write('perennial: another start is installing; waiting for it\n');
    await holderGone(path);
  }
}

/** Resolves when the connection to the lock's holder closes. */
function holderGone(path) {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on('error', (error) => {
      // Only a socket file can be left without a holder.
      if (error.code === 'ECONNREFUSED' && !path.startsWith('\0') && !windows) rmSync(path, { force: true });
    });
    socket.resume().on('close', () => setTimeout(resolve, 100));
  });
}

function digest(path) {
  return createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function describe(status) {
  return typeof status === 'string' ? status : `exit code ${status}`;
}
