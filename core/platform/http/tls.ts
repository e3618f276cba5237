import { readNamedFile, type Settings } from '@perennial/schemas/platform/settings.ts';

/** Certificate and key of core's HTTPS server. */
export interface CoreTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Certificate authority of the clients; callers must present a certificate signed by it. */
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
