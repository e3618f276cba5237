import { readFileSync } from 'node:fs';

/** What core is reached by https with. */
export interface CoreTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Whoever calls must show a certificate of this authority. */
  readonly clientCa?: Buffer;
}

/**
 * Reads `CORE_TLS_CERT_FILE`, `CORE_TLS_KEY_FILE` and `CORE_TLS_CLIENT_CA_FILE`; undefined when none is set.
 * @param fault is told what cannot be used.
 */
export function readTls(
  env: Readonly<Record<string, string | undefined>>,
  fault: (sentence: string) => void,
): CoreTls | undefined {
  const file = (name: string): Buffer | undefined => {
    const path = env[name]?.trim();
    if (!path) return undefined;
    try {
      return readFileSync(path);
    } catch {
      fault(`${name} must name a file that can be read.`);
      return undefined;
    }
  };
  const [cert, key] = [file('CORE_TLS_CERT_FILE'), file('CORE_TLS_KEY_FILE')];
  const clientCa = file('CORE_TLS_CLIENT_CA_FILE');
  if (cert && key) return { cert, key, ...(clientCa && { clientCa }) };
  if (cert || key || clientCa) fault('CORE_TLS_CERT_FILE and CORE_TLS_KEY_FILE must be set together.');
  return undefined;
}
