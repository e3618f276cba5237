import { readNamedFile, type Settings } from '@perennial/schemas/platform/settings.ts';

/** How connections to core are secured: whom they trust, and who they say they are. */
export interface CoreTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Reads the files that the variables name; undefined when none is set. What cannot be used is a mistake of `settings`. */
export function readCoreTls(settings: Settings): CoreTls | undefined {
  const [ca, cert, key] = [
    readNamedFile(settings, 'CORE_CA_FILE'),
    readNamedFile(settings, 'CORE_CLIENT_CERT_FILE'),
    readNamedFile(settings, 'CORE_CLIENT_KEY_FILE'),
  ];
  if ((cert === undefined) !== (key === undefined))
    settings.mistake('CORE_CLIENT_CERT_FILE and CORE_CLIENT_KEY_FILE must be set together');
  if (!ca && !cert && !key) return undefined;
  if (!/^https:/.test(settings.get('CORE_URL') ?? ''))
    settings.mistake('CORE_CA_FILE and CORE_CLIENT_* need a CORE_URL with https://');
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}
