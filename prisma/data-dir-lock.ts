import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the process that holds a folder says of itself to one that asks. */
export interface LockHolder {
  pid: number;
  stopping: boolean;
}

export type LockAttempt = { lock: Server } | { holder: LockHolder | undefined };

/**
 * Takes a folder for this process, or says who has it. The lock is a listening socket: the system closes it with the
 * process however it ends, so unlike a file it can never be stale.
 */
export async function lockDataDir(dir: string, describe: () => LockHolder): Promise<LockAttempt> {
  const path = socketPath(dir);
  try {
    return { lock: await listen(path, describe) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  }
  const holder = await ask(path);
  if (holder === 'nobody') {
    // Only socket files survive their process; names in Linux's abstract space do not.
    if (!path.startsWith('\0')) rmSync(path, { force: true });
    return { holder: undefined };
  }
  return { holder };
}

function socketPath(dir: string): string {
  const name = `perennial-${createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

function listen(path: string, describe: () => LockHolder): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(JSON.stringify(describe()));
    });
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

function ask(path: string): Promise<LockHolder | 'nobody' | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'nobody' : undefined));
    socket.on('close', () => resolve(parseHolder(text)));
  });
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    return JSON.parse(text) as LockHolder;
  } catch {
    return undefined;
  }
}
