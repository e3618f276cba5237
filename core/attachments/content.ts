import { createHash } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';

/*
 * What bytes are is found out from the bytes: the name and the type that came with them are claims.
 */

/** Media types that are kept. */
export const mediaTypes = [
  'application/pdf',
  'application/dicom',
  'application/rtf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/tiff',
  'text/plain',
  'text/csv',
] as const;

const kept: ReadonlySet<string> = new Set(mediaTypes);
const texts: ReadonlySet<string> = new Set(['text/plain', 'text/csv']);

/** Other names of types that are kept. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'text/rtf': 'application/rtf',
  'application/csv': 'text/csv',
};

/** What was seen of the bytes that went through. */
export interface Seen {
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** The type found, or undefined when it is not one that is kept. */
  readonly mediaType: string | undefined;
}

/** Raised when more bytes come than may. */
export class ContentTooLarge extends Error {
  override readonly name = 'ContentTooLarge';
}

/** Enough to know every type that is kept: DICOM says what it is after 128 bytes, the others at once. */
const SAMPLE_BYTES = 4_100;
/** Control characters that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** Counts, hashes and looks at bytes while they pass. */
export class ContentInspector {
  readonly #bytesMax: number;
  readonly #hash = createHash('sha256');
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #isText = true;
  #size = 0;
  #sample: Buffer = Buffer.alloc(0);

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The same bytes. @throws ContentTooLarge at the first byte too many. */
  async *pass(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.#size += chunk.length;
      if (this.#size > this.#bytesMax) throw new ContentTooLarge('too many bytes');
      this.#hash.update(chunk);
      if (this.#sample.length < SAMPLE_BYTES)
        this.#sample = Buffer.concat([this.#sample, chunk]).subarray(0, SAMPLE_BYTES);
      this.#readText(chunk, true);
      yield chunk;
    }
    this.#readText(Buffer.alloc(0), false);
  }

  /** What has passed. To be asked once, after the last byte. */
  async seen(): Promise<Seen> {
    const found = (await fileTypeFromBuffer(this.#sample))?.mime;
    const mediaType = found === undefined ? (this.#isText ? 'text/plain' : undefined) : (aliases[found] ?? found);
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      mediaType: mediaType !== undefined && kept.has(mediaType) ? mediaType : undefined,
    };
  }

  #readText(chunk: Buffer, stream: boolean): void {
    if (!this.#isText) return;
    try {
      this.#isText = !BINARY.test(this.#decoder.decode(chunk, { stream }));
    } catch {
      this.#isText = false;
    }
  }
}

/** The type to keep of one named and one found: `mismatch` when the name is of another. */
export function agreedType(named: string, found: string): string {
  const type = named.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const meant = Object.hasOwn(aliases, type) ? (aliases[type] as string) : type;
  // Uninformative types: text/plain is the default of a part without a type (RFC 7578, section 4.4).
  if (['', 'application/octet-stream', 'text/plain', found].includes(meant)) return found;
  // The kind of a text cannot be detected, so the declared one is used.
  return texts.has(meant) && texts.has(found) ? meant : 'mismatch';
}
