import { type AdminBody, adminBodies } from '@perennial/schemas/admin-bodies.ts';
import { details } from '@perennial/schemas/errors.ts';
import type { History } from '@perennial/schemas/history.ts';
import { newestFirst } from '@perennial/schemas/lifecycle.ts';
import { isDay } from '@perennial/schemas/platform/calendar.ts';
import { readJsonBody } from '@perennial/schemas/platform/http/body.ts';
import { invalid } from '@perennial/schemas/platform/http/fault.ts';
import type { JsonSchema } from '@perennial/schemas/platform/json-schema.ts';
import { createValidator } from '@perennial/schemas/validation.ts';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

type Bodies = typeof adminBodies;

const LIMITS = { bodyBytesMax: 65_536, bodyDepthMax: 8 };
let validator: ReturnType<typeof createValidator> | undefined;

/**
 * Reads and checks a body.
 * @throws Fault as every other operation does: 413, 415, 400, or 422 with each place that is wrong.
 */
export async function readBody<N extends keyof Bodies & string>(request: Request, name: N): Promise<AdminBody<N>> {
  // Compiled when somebody first uses the admin API.
  validator ??= createValidator(new Map(Object.entries(adminBodies) as unknown as [string, JsonSchema][]));
  const body = await readJsonBody(request, ['application/json', 'application/merge-patch+json'], LIMITS);
  const faults = validator.body(name, body);
  if (faults.length > 0) throw invalid(faults);
  return body as AdminBody<N>;
}

/** The release that is named, with or without the `v`. @throws Fault 422 at the place for one that there is none of. */
export function releaseNamed(
  history: History,
  text: string,
  place: { pointer: string } | { parameter: string },
): string {
  const id = text.startsWith('v') ? text.slice(1) : text;
  if (isDay(id) && newestFirst(history).some((each) => each.id === id)) return id;
  throw invalid([{ code: 'not_allowed_value', message: details.not_allowed_value, ...place }]);
}

/** Addresses and networks (10.0.0.0/8, 2001:db8::/32) in one spelling. @throws Fault 422 at the first that is none. */
export function readNetworks(networks: readonly string[]): string[] {
  return networks.map((text, index) => {
    try {
      const [address, bits] = ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
      return `${address.toString()}/${bits}`;
    } catch {
      throw invalid([{ code: 'wrong_format', message: details.wrong_format, pointer: `/allowed_addresses/${index}` }]);
    }
  });
}
