import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * Where the embedded server of a data folder listens, if one is running: its port is the fourth line of PostgreSQL's
 * own `postmaster.pid`, its password lies beside the data.
 */
export async function runningServer(dataDir: string): Promise<string | undefined> {
  const home = join(dataDir, 'postgres');
  let port: number;
  let password: string;
  try {
    port = Number(readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[3]);
    password = readFileSync(join(home, 'password'), 'utf8').trim();
  } catch {
    return undefined;
  }
  if (!(Number.isInteger(port) && port > 0 && (await listens(port)))) return undefined;
  return `postgresql://perennial:${password}@127.0.0.1:${port}/perennial`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
