import { readFileSync } from 'node:fs';

/** How connections to core are secured: whom they trust, and who they say they are. */
export interface CoreTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/**
 * Reads `CORE_CA_FILE`, `CORE_CLIENT_CERT_FILE` and `CORE_CLIENT_KEY_FILE`; undefined when none is set.
 * @param mistake is told what cannot be used.
 */
export function readCoreTls(env: NodeJS.ProcessEnv, mistake: (what: string) => void): CoreTls | undefined {
  const file = (name: string): Buffer | undefined => {
    const path = env[name];
    if (path === undefined || path === '') return undefined;
    try {
      return readFileSync(path);
    } catch {
      mistake(`${name} must name a file that can be read`);
      return undefined;
    }
  };
  const [ca, cert, key] = [file('CORE_CA_FILE'), file('CORE_CLIENT_CERT_FILE'), file('CORE_CLIENT_KEY_FILE')];
  if ((cert === undefined) !== (key === undefined))
    mistake('CORE_CLIENT_CERT_FILE and CORE_CLIENT_KEY_FILE must be set together');
  if (!ca && !cert && !key) return undefined;
  if (!/^https:/.test(env['CORE_URL'] ?? '')) mistake('CORE_CA_FILE and CORE_CLIENT_* need a CORE_URL with https://');
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
