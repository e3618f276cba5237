import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

const protect = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginEmbedderPolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/**
 * Headers that keep a browser from doing anything with an answer but reading it as what it is. They are the same for
 * every answer, so helmet is asked once.
 */
export const securityHeaders: Readonly<Record<string, string>> = askHelmet();

function askHelmet(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader(name: string, value: string): void {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: (): void => undefined,
  };
  let done = false;
  protect({} as IncomingMessage, response as unknown as ServerResponse, () => {
    done = true;
  });
  if (!done || Object.keys(headers).length === 0) throw new Error('helmet did not give its headers at once');
  return headers;
}
