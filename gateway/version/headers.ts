import { currentOf, type Standing } from '@perennial/schemas/lifecycle.ts';
import { epochSeconds, httpDate } from '@perennial/schemas/platform/calendar.ts';
import { securityHeaders } from '../security-headers.ts';

/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** What every answer carries, whatever its version. */
export const commonHeaders: Headers = {
  ...securityHeaders,
  vary: 'Service-Version, X-Service-Version, Authorization, Accept, Accept-Encoding',
  // No proxy and no browser may store patient data. ETags still work: clients keep them.
  'cache-control': 'no-store',
};

/**
 * What every answer in a version carries: the above, the echo, and for a deprecated version, and the 410 of one that
 * has ended, the header of the
 * specification (section 7) beside the standard `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
 * @param common what every answer carries.
 */
export function versionHeaders(standing: Standing, all: readonly Standing[], common: Headers = commonHeaders): Headers {
  const { release, state } = standing;
  const headers: Record<string, string> = { ...common, 'service-version': release.id };
  if (state === 'preview')
    headers['service-api-preview'] = `version=v${release.id}; it may change without notice and is not for production`;
  if ((state !== 'deprecated' && state !== 'sunset') || release.deprecated === undefined) return headers;
  const target = currentOf(all)?.id;
  const advice = `Please migrate to v${target} or later`;
  headers['deprecation'] = `@${epochSeconds(release.deprecated)}`;
  headers['link'] =
    `</changelog>; rel="deprecation"; type="text/markdown", </versions>; rel="sunset"; type="application/json"`;
  if (release.sunset !== undefined) {
    headers['service-api-deprecation'] = `version=v${release.id}; sunset=${release.sunset}; ${advice}`;
    headers['sunset'] = httpDate(release.sunset);
  } else headers['service-api-deprecation'] = `version=v${release.id}; ${advice}`;
  return headers;
}
