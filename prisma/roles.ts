import { hkdfSync } from 'node:crypto';
import pg from 'pg';
import { migrate } from './migrate.ts';

/*
 * Who may do what in the database. The owner makes the tables and is used for nothing else; each service has a login
 * of its own that owns nothing, sees its own schema and the queue, and can neither alter nor delete entries of the
 * audit trail. A third role, which nobody can log in as, stands behind no wall between accounts; core takes it on for
 * the work that concerns every account (see scope.ts).
 */

/** What prepares a database, and for whom. */
export interface RolesOptions {
  /** A login that owns the tables, or may make them. It needs CREATEROLE unless every role is there already. */
  readonly adminUrl: string;
  /** Logins that somebody else made. Those left out are made here. */
  readonly coreUrl?: string | undefined;
  /** Left out while `coreUrl` is given, it is that one. */
  readonly gatewayUrl?: string | undefined;
}

/** Where each service connects. */
export interface ServiceUrls {
  readonly coreUrl: string;
  readonly gatewayUrl: string;
}

/** The database cannot be divided among roles; the message says why. */
export class RolesError extends Error {
  override readonly name = 'RolesError';
}

/** `GRANT ... WITH INHERIT FALSE` came with it. */
const MAINTAIN_VERSION = 170_000;
const SERVER_VERSION_MIN = 160_000;
/** Any number will do, as long as nothing else locks by it. */
const ROLES_LOCK = 20_231_016;

/**
 * Migrates a database and divides it: makes the roles that are missing and grants each what it needs and no more. It
 * can be repeated, by several processes at once.
 * @throws MigrationError, RolesError
 */
export async function prepareDatabase(options: RolesOptions): Promise<ServiceUrls> {
  await migrate(options.adminUrl);
  const client = new pg.Client({ connectionString: options.adminUrl, application_name: 'perennial-roles' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await divide(client, options);
  } finally {
    await client.end();
  }
}

async function divide(client: pg.Client, options: RolesOptions): Promise<ServiceUrls> {
  const { rows } = await client.query<{ version: number; database: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_database() AS database`,
  );
  const [{ version, database } = { version: 0, database: '' }] = rows;
  if (version < SERVER_VERSION_MIN)
    throw new RolesError('separate roles need PostgreSQL 16 or newer; leave DATABASE_ADMIN_URL out to do without them');
  const core = loginOf(
    options.coreUrl ?? serviceUrls(options.adminUrl, database).coreUrl,
    options.coreUrl === undefined,
  );
  const given = options.gatewayUrl ?? options.coreUrl;
  const gateway = loginOf(given ?? serviceUrls(options.adminUrl, database).gatewayUrl, given === undefined);
  if ([core.name, gateway.name].includes(userOf(options.adminUrl)))
    throw new RolesError('DATABASE_ADMIN_URL must name another login than DATABASE_URL and DATABASE_GATEWAY_URL');
  const system = `${database}_system`;
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [ROLES_LOCK]);
    await createRole(client, system, undefined);
    for (const { name, password } of [core, gateway])
      if (password !== undefined) await createRole(client, name, password);
    for (const statement of grants(core.name, gateway.name, system)) await client.query(statement);
    if (version >= MAINTAIN_VERSION) {
      // ANALYZE after bulk writes.
      const name = pg.escapeIdentifier(core.name);
      await client.query(`GRANT MAINTAIN ON ALL TABLES IN SCHEMA core TO ${name}`);
    }
    await openWalls(client, 'core', system);
    await openWalls(client, 'edge', gateway.name);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const { code, message } = error as { code?: string; message?: string };
    // insufficient_privilege, undefined_object
    if (code !== '42501' && code !== '42704') throw error;
    throw new RolesError(`the roles of the services could not be made by the login of DATABASE_ADMIN_URL: ${message}`, {
      cause: error,
    });
  }
  return { coreUrl: core.url, gatewayUrl: gateway.url };
}

interface Login {
  readonly name: string;
  readonly url: string;
  /** Of a login that is made here. */
  readonly password: string | undefined;
}

function loginOf(url: string, isOurs: boolean): Login {
  return { name: userOf(url), url, password: isOurs ? new URL(url).password : undefined };
}

/**
 * The logins that are made for a database where nobody else has made any. Their passwords follow from the owner's, so
 * that several machines that know it need not tell each other.
 * @param database whose name the logins begin with.
 */
export function serviceUrls(adminUrl: string, database: string): ServiceUrls {
  const { password } = new URL(adminUrl);
  if (password === '')
    throw new RolesError('DATABASE_ADMIN_URL must have a password, or DATABASE_URL a login of its own');
  const urlOf = (name: string): string => {
    const url = new URL(adminUrl);
    url.username = encodeURIComponent(name);
    url.password = Buffer.from(hkdfSync('sha256', password, '', `perennial login ${name}`, 24)).toString('hex');
    return url.href;
  };
  return { coreUrl: urlOf(`${database}_core`), gatewayUrl: urlOf(`${database}_gateway`) };
}

function userOf(url: string): string {
  const { username } = new URL(url);
  if (username === '') throw new RolesError('the address of a database with separate roles must name the login');
  return decodeURIComponent(username);
}

/** Makes a role or gives it its password again. It may do nothing but what it is granted. */
async function createRole(client: pg.Client, name: string, password: string | undefined): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  const login = password === undefined ? 'NOLOGIN' : `LOGIN PASSWORD ${pg.escapeLiteral(password)}`;
  if (rowCount === 0) await client.query(`CREATE ROLE ${pg.escapeIdentifier(name)} ${login}`);
  else if (password !== undefined) await client.query(`ALTER ROLE ${pg.escapeIdentifier(name)} ${login}`);
}

/**
 * Lets a role see every account: the one that core takes on for work that concerns all of them, and the gateway, which
 * finds out whose a request is. Policies that are there are left alone: making one anew would hold up whoever reads.
 */
async function openWalls(client: pg.Client, schema: 'core' | 'edge', role: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relrowsecurity AND NOT EXISTS (
       SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = $2)
     ORDER BY 1`,
    [schema, role],
  );
  const name = pg.escapeIdentifier(role);
  for (const table of rows)
    await client.query(`CREATE POLICY ${name} ON ${schema}.${pg.escapeIdentifier(table.name)} TO ${name} USING (true)`);
}

function grants(coreName: string, gatewayName: string, systemName: string): readonly string[] {
  const [core, gateway, system] = [coreName, gatewayName, systemName].map(pg.escapeIdentifier);
  const all = [...new Set([core, gateway, system])].join(', ');
  const schemas = ['core', 'edge', 'pgboss'];
  return [
    // What an earlier release granted and this one does not is taken back.
    ...schemas.flatMap((schema) => [
      `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${all}`,
      `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${all}`,
      `REVOKE ALL ON SCHEMA ${schema} FROM ${all}`,
    ]),
    `GRANT SELECT ON public._prisma_migrations TO ${all}`,
    `GRANT USAGE ON SCHEMA core TO ${core}, ${system}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA core TO ${core}, ${system}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA core TO ${core}, ${system}`,
    `GRANT USAGE ON SCHEMA edge TO ${gateway}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA edge TO ${gateway}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA edge TO ${gateway}`,
    // What operators do over the admin API. A key's scopes, holder and hash stay what they were, keys of operators are
    // refused by a trigger, and nothing can be deleted.
    `GRANT INSERT ON edge.accounts, edge.api_keys, edge.lifecycle_acts TO ${gateway}`,
    `GRANT UPDATE (name, tier, mode, pinned_release, previous_pin, pin_raised_at) ON edge.accounts TO ${gateway}`,
    `GRANT UPDATE (name, expires_at, revoked_at, last_used_at, rate_per_minute, quota_per_day, allowed_addresses)
      ON edge.api_keys TO ${gateway}`,
    `GRANT UPDATE (withdrawn_at, withdrawn_by, withdrawn_reason) ON edge.lifecycle_acts TO ${gateway}`,
    // Entries are added and read, nothing else.
    `GRANT INSERT ON edge.audit_entries TO ${gateway}`,
    `GRANT INSERT, UPDATE ON edge.installation TO ${gateway}`,
    `GRANT INSERT, UPDATE ON edge.audit_heads TO ${gateway}`,
    `GRANT INSERT, UPDATE ON edge.usage_counters TO ${gateway}`,
    // The queue holds identifiers only, and both services stand in it.
    `GRANT USAGE ON SCHEMA pgboss TO ${all}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO ${all}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA pgboss TO ${all}`,
    // The views are for reading.
    `REVOKE INSERT, UPDATE, DELETE ON core.own_patients, core.own_records FROM ${core}, ${system}`,
    `CREATE OR REPLACE FUNCTION core.enter_system() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('perennial.account', '', true);
      IF pg_has_role(session_user, ${pg.escapeLiteral(systemName)}, 'SET') THEN
        PERFORM set_config('role', ${pg.escapeLiteral(systemName)}, true);
      END IF;
    END
    $$`,
    // Not inherited: row-level security applies to core until it enters the role.
    `GRANT ${system} TO ${core} WITH INHERIT FALSE, SET TRUE, ADMIN FALSE`,
  ];
}

/**
 * What a login can do that a service should not: a sentence each; none where the roles are separate.
 * @param schema the service's own.
 * @throws what the database says.
 */
export async function missingProtection(url: string, schema: 'core' | 'edge'): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'perennial-roles' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<Record<'superuser' | 'owns' | 'alters' | 'sees', boolean>>(
      `SELECT r.rolsuper AS superuser,
        pg_has_role(r.oid, (SELECT relowner FROM pg_class WHERE oid = (
          SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = $1 AND c.relkind = 'r' LIMIT 1)), 'USAGE') AS owns,
        EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = 'edge' AND c.relname = 'audit_entries'
            AND has_table_privilege(r.oid, c.oid, 'UPDATE, DELETE, TRUNCATE')) AS alters,
        has_schema_privilege(r.oid, $2, 'USAGE') AS sees
      FROM pg_roles r WHERE r.rolname = session_user`,
      [schema, schema === 'core' ? 'edge' : 'core'],
    );
    const [found] = rows;
    const sentences: readonly (readonly [boolean | undefined, string])[] = [
      [found?.superuser, 'the login is a superuser'],
      [found?.owns, 'the login owns the tables, so that nothing stands between accounts but the queries themselves'],
      [found?.alters, 'the login can alter and delete entries of the audit trail'],
      [found?.sees, 'the login sees the tables of the other service'],
    ];
    return sentences.flatMap(([is, sentence]) => (is === true ? [sentence] : []));
  } finally {
    await client.end();
  }
}

/** Logs privileges that the login of a service should not have. */
export function warnOfMissingProtection(
  url: string,
  schema: 'core' | 'edge',
  warn: (message: string, details: { readonly missing: readonly string[] }) => void,
): void {
  void missingProtection(url, schema).then(
    (missing) => {
      if (missing.length > 0)
        warn('the service shares its database login; set DATABASE_ADMIN_URL to give each its own', { missing });
    },
    // The database is unreachable; the first query will report it.
    () => undefined,
  );
}
