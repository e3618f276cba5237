import { readNamedFile, type Settings } from '@perennial/schemas/platform/settings.ts';

/** What core is reached by https with. */
export interface CoreTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Whoever calls must show a certificate of this authority. */
  readonly clientCa?: Buffer;
}

/** Reads the files that the variables name; undefined when none is set. What cannot be used is a mistake of `settings`. */
export function readTls(settings: Settings): CoreTls | undefined {
  const [cert, key] = [readNamedFile(settings, 'CORE_TLS_CERT_FILE'), readNamedFile(settings, 'CORE_TLS_KEY_FILE')];
  const clientCa = readNamedFile(settings, 'CORE_TLS_CLIENT_CA_FILE');
  if (cert && key) return { cert, key, ...(clientCa && { clientCa }) };
  if (cert || key || clientCa) settings.mistake('CORE_TLS_CERT_FILE and CORE_TLS_KEY_FILE must be set together');
  return undefined;
}
