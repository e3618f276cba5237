import { parseArgs } from 'node:util';
import { Settings } from '@perennial/schemas/platform/settings.ts';
import { forgetShared } from './installation.ts';
import { prepareDatabase } from './roles.ts';

/*
 * `npm run database`: migrates the database of DATABASE_ADMIN_URL and divides it among the logins of the services: those
 * of DATABASE_URL (core) and DATABASE_GATEWAY_URL, or ones that it makes. For installations whose parts run apart;
 * `npm start` does the same by itself. `--forget <name>` forgets a fingerprint of what machines share (see
 * installation.ts). With `--urls` it prints where each service is to connect, passwords and all.
 */

const { values: options } = parseArgs({ options: { urls: { type: 'boolean' }, forget: { type: 'string' } } });
const settings = new Settings(process.env);
const adminUrl = settings.get('DATABASE_ADMIN_URL');
const coreUrl = settings.get('DATABASE_URL');
const gatewayUrl = settings.get('DATABASE_GATEWAY_URL');

async function main(): Promise<void> {
  settings.check();
  if (adminUrl === undefined) throw new Error('DATABASE_ADMIN_URL must name the login that owns the tables');
  const urls = await prepareDatabase({ adminUrl, coreUrl, gatewayUrl });
  const { forget } = options;
  if (forget !== undefined && !(await forgetShared(adminUrl, forget)))
    throw new Error(
      `the database knows nothing of ${forget}: it is secrets_key, blob_store or audit_key, once a service has started`,
    );
  const logins =
    options.urls === true
      ? { core: urls.coreUrl, gateway: urls.gatewayUrl }
      : { core: new URL(urls.coreUrl).username, gateway: new URL(urls.gatewayUrl).username };
  process.stdout.write(`${JSON.stringify(logins)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`database: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
