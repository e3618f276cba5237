/** A delivery is not from the service, or is too old to be taken. */
export class NotVerified extends Error {
  override readonly name = 'NotVerified';
}

const SECONDS_MAX = 300;

/** Headers as servers give them: a `Headers`, or an object with lower-case names. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks a delivery (Standard Webhooks) and gives its event.
 * @param secret of the subscription, `whsec_…`. @param body exactly as it came. @param now in milliseconds.
 * @throws {NotVerified}
 */
export async function verifyWebhook<Event = unknown>(
  secret: string,
  body: string,
  headers: HeadersLike,
  now: number = Date.now(),
): Promise<Event> {
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !given) throw new NotVerified('a header of the signature is missing');
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= SECONDS_MAX))
    throw new NotVerified('the delivery is too old or too new');
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (char) => char.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of given.split(' ')) {
    const [version, text] = each.split(',', 2);
    if (version !== 'v1' || text === undefined) continue;
    if (await crypto.subtle.verify('HMAC', key, decoded(text), signed)) return JSON.parse(body) as Event;
  }
  throw new NotVerified('the signature is not of this secret');
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
