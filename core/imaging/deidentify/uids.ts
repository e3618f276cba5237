import { createHmac } from 'node:crypto';

/** UIDs that the standard itself gave out name kinds of things, not things. */
const OF_THE_STANDARD = '1.2.840.10008.';

/** Replaces UIDs: one UID always by the same other, which nobody without the key can tell. */
export type UidReplacer = (uid: string) => string;

/** @param key of the account: what belongs together there still does afterwards. */
export function createUidReplacer(key: Uint8Array): UidReplacer {
  return (uid) => {
    if (uid === '' || uid.startsWith(OF_THE_STANDARD)) return uid;
    const bytes = createHmac('sha256', key).update(uid).digest().subarray(0, 16);
    // A UUID of version 8 as a UID: PS3.5, B.2.
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    return `2.25.${BigInt(`0x${bytes.toString('hex')}`)}`;
  };
}
