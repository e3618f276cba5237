import { hkdfSync } from 'node:crypto';
import pg from 'pg';

/*
 * What all machines of one installation must share beside the database. Each service writes a fingerprint of it to the
 * database the first time, and compares it at every later start: a machine with another key or another folder of files
 * would otherwise answer for years and fail at the first download.
 */

/** This machine has another key or file store than the installation. The message says which, and what to do. */
export class InstallationMismatch extends Error {
  override readonly name = 'InstallationMismatch';
}

/** One thing that is shared. */
export interface Shared {
  /** As it is kept in the database. */
  readonly name: 'secrets_key' | 'blob_store' | 'audit_key';
  readonly value: string;
  /** Values that may stand in the database and are then replaced: keys that came before. */
  readonly earlier?: readonly string[];
  /** Said when the database knows another one. */
  readonly refusal: string;
}

/** A fingerprint that identifies the secret and does not reveal it. */
export function fingerprintOf(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'perennial fingerprint', 16)).toString('hex');
}

/**
 * Compares what this machine has with what the database was used with before; what it does not know yet it remembers.
 * @throws InstallationMismatch; and what the database says.
 */
export async function checkInstallation(
  url: string,
  schema: 'core' | 'edge',
  shared: readonly Shared[],
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `perennial-${schema}-installation`,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const refusals: string[] = [];
    for (const each of shared) if (!(await isKnown(client, schema, each))) refusals.push(each.refusal);
    if (refusals.length > 0) throw new InstallationMismatch(refusals.join('\n'));
  } finally {
    await client.end();
  }
}

async function isKnown(client: pg.Client, schema: string, { name, value, earlier = [] }: Shared): Promise<boolean> {
  const table = `${schema}.installation`;
  await client.query(`INSERT INTO ${table} (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [name, value]);
  if (earlier.length > 0)
    await client.query(`UPDATE ${table} SET value = $2, recorded_at = now() WHERE name = $1 AND value = ANY($3)`, [
      name,
      value,
      earlier,
    ]);
  const { rows } = await client.query<{ value: string }>(`SELECT value FROM ${table} WHERE name = $1`, [name]);
  return rows[0]?.value === value;
}

/**
 * Forgets what an installation shared, so that the next machine that starts says anew what it is.
 * @returns whether there was such a thing.
 */
export async function forgetShared(url: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'perennial-installation' });
  await client.connect();
  try {
    const core = await client.query('DELETE FROM core.installation WHERE name = $1', [name]);
    const edge = await client.query('DELETE FROM edge.installation WHERE name = $1', [name]);
    return (core.rowCount ?? 0) + (edge.rowCount ?? 0) > 0;
  } finally {
    await client.end();
  }
}
