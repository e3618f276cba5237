import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { AnyContext, BytesOutcome } from '../../platform/http/handler.ts';
import { holds, readAccept } from './accept.ts';
import { type AnsweredPart, writeParts } from './multipart.ts';

/** Media types of DICOMweb (PS3.18, 8.7.3). */
export const DICOM = 'application/dicom';
/** The DICOM JSON model. */
export const JSON_MODEL = 'application/dicom+json';
/** Bytes of frames and of bulk data. */
export const OCTETS = 'application/octet-stream';

/** @throws Fault `not_acceptable` unless one of the media types may be answered. */
export function needAccepted({ request }: AnyContext, ...types: readonly string[]): void {
  const accepted = readAccept(request.headers.accept);
  if (!accepted.some((range) => types.some((type) => holds(range, type)))) throw new Fault('not_acceptable');
}

/** An answer of several parts, or of one in its envelope. */
export function parts(answered: readonly AnsweredPart[], type: string, subjects: readonly string[]): BytesOutcome {
  const { headers, open } = writeParts(answered, type, `perennial-${randomBytes(16).toString('hex')}`);
  return { subjects, bytes: { status: 200, headers, open } };
}

/** An answer in the DICOM JSON model. */
export function json(
  value: unknown,
  status: number,
  subjects: readonly string[],
  more: Readonly<Record<string, string>> = {},
): BytesOutcome {
  const bytes = Buffer.from(JSON.stringify(value));
  const headers = { 'content-type': JSON_MODEL, 'content-length': String(bytes.length), ...more };
  return { subjects, bytes: { status, headers, open: async () => Readable.from([bytes]) } };
}

/** An array whose entries are made while they are sent; the first one before, so that its failure can be told. */
export async function jsonArray(entries: AsyncGenerator<string>, subjects: readonly string[]): Promise<BytesOutcome> {
  const first = await entries.next();
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield first.value;
    yield* entries;
  }
  const headers = { 'content-type': JSON_MODEL };
  return { subjects, bytes: { status: 200, headers, open: async () => Readable.from(all(), { objectMode: false }) } };
}

/** Bytes that are there already. */
export function inMemory(bytes: Uint8Array): () => Promise<Readable> {
  return async () => Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]);
}
