import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { hasLeft } from '@perennial/schemas/platform/http/body.ts';
import { Fault, invalid } from '@perennial/schemas/platform/http/fault.ts';
import { isStorable } from '@perennial/schemas/platform/http/text.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import { escapeToken, faultAt } from '@perennial/schemas/validation.ts';

/** A file as its part of the body names it. */
export interface NamedFile {
  readonly name: string;
  /** As claimed. */
  readonly mediaType: string;
}

/** What came with a file. */
export interface Upload<T> {
  readonly file: NamedFile;
  /** What became of its bytes. */
  readonly result: T;
  readonly description: string | null;
  /** Values of the other fields that were allowed and sent. */
  readonly fields: Readonly<Record<string, string>>;
}

const DESCRIPTION_CHARS_MAX = 1_000;
const FILE_NAME_CHARS_MAX = 255;
/** Of a field other than the description. */
const FIELD_CHARS_MAX = 80;
/** How much of what is refused is read and thrown away, so that the caller is still there to read the answer. */
const DRAIN_BYTES_MAX = 16 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 2_000;

/**
 * Reads a body of one file and its description (multipart/form-data, RFC 7578), a chunk at a time.
 * @param keep takes the bytes of the file; when it rejects, so does this.
 * @param others names of further fields that may come, each once and before the file.
 * @throws Fault `media_type_unsupported`, `body_malformed`, `validation_failed`, `request_malformed`
 */
export async function receiveUpload<T>(
  request: IncomingMessage,
  keep: (bytes: AsyncIterable<Buffer>, fields: Readonly<Record<string, string>>) => Promise<T>,
  others: readonly string[] = [],
): Promise<Upload<T>> {
  const parser = openParser(request);
  const faults: ErrorDetail[] = [];
  const fields: Record<string, string> = {};
  let description: string | null = null;
  let file: NamedFile | undefined;
  let stream: Readable | undefined;
  let kept: Promise<T> | undefined;
  const ended = Promise.withResolvers<void>();
  const fail = (error: unknown): void => {
    stream?.destroy(error instanceof Error ? error : undefined);
    ended.reject(error);
  };

  parser.on('field', (name: string, value: unknown, _nameCut: boolean, isCut: boolean) => {
    if (others.includes(name)) {
      const text = String(value);
      if (isCut || text.length > FIELD_CHARS_MAX) faults.push(faultAt(`/${name}`, 'too_long'));
      else if (!isStorable(text)) faults.push(faultAt(`/${name}`, 'invalid_text'));
      else if (Object.hasOwn(fields, name)) faults.push(faultAt(`/${name}`, 'too_many'));
      else fields[name] = text;
    } else if (name !== 'description') faults.push(faultAt(`/${escapeToken(name.slice(0, 100))}`, 'unknown_field'));
    else if (isCut || String(value).length > DESCRIPTION_CHARS_MAX) faults.push(faultAt('/description', 'too_long'));
    else if (!isStorable(String(value))) faults.push(faultAt('/description', 'invalid_text'));
    else description = String(value) === '' ? null : String(value);
  });
  parser.on('file', (name: string, part: Readable, fileName: unknown, _encoding: string, mediaType: string) => {
    stream = part;
    // Without a listener an error would end the process.
    part.on('error', () => undefined);
    if (name !== 'file') {
      faults.push(faultAt(`/${escapeToken(name.slice(0, 100))}`, 'unknown_field'));
      part.resume();
      return;
    }
    file = { name: safeFileName(typeof fileName === 'string' ? fileName : ''), mediaType };
    kept = keep(part as AsyncIterable<Buffer>, fields);
    kept.catch(fail);
  });
  parser.on('filesLimit', () => faults.push(faultAt('/file', 'too_many')));
  parser.on('fieldsLimit', () => faults.push(faultAt('/description', 'too_many')));
  parser.on('partsLimit', () => faults.push(faultAt('/file', 'too_many')));
  parser.on('error', () =>
    fail(new Fault('body_malformed', { message: 'The body is not well-formed multipart data.' })),
  );
  parser.on('finish', () => ended.resolve());
  const onClose = (): void => {
    if (!request.readableEnded) fail(new Fault('request_malformed', { message: 'The body broke off.' }));
  };
  request.once('close', onClose).once('error', onClose);
  request.pipe(parser);
  if (hasLeft(request)) onClose();

  try {
    await ended.promise;
    const result = await kept;
    if (faults.length > 0) throw invalid(faults);
    if (!file || kept === undefined) throw invalid([faultAt('/file', 'required')]);
    return { file, result: result as T, description, fields };
  } catch (error) {
    // What was kept before the fault was found is the caller's to remove.
    await kept?.catch(() => undefined);
    request.unpipe(parser);
    await drain(request);
    throw error;
  } finally {
    request.off('close', onClose).off('error', onClose);
  }
}

function openParser(request: IncomingMessage): InstanceType<typeof Busboy> {
  const refused = new Fault('media_type_unsupported', { headers: { accept: 'multipart/form-data' } });
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type) || request.headers['content-encoding'] !== undefined) throw refused;
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { fields: 6, fieldNameSize: 100, fieldSize: 8_192, files: 1, parts: 8, headerPairs: 20 },
    });
  } catch {
    throw refused;
  }
}

/** The name alone, of characters that every system can show and none takes for a path. */
export function safeFileName(given: string): string {
  const name = (given.split(/[/\\]/).at(-1) ?? '')
    .toWellFormed()
    .normalize('NFC')
    // Control characters, and those that turn the direction of what follows: "gpj.exe" would be shown as "exe.jpg".
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  if (/^\.*$/.test(name)) return 'file';
  return name.length <= FILE_NAME_CHARS_MAX ? name : shortened(name);
}

/** Shortens a long name but keeps its extension. */
function shortened(name: string): string {
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, FILE_NAME_CHARS_MAX - ending.length)}${ending}`.toWellFormed();
}

/** Reads what is left, within bounds: an answer to a caller that is still sending may never be read. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  const timer = setTimeout(resolve, DRAIN_TIMEOUT_MS);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DRAIN_BYTES_MAX) resolve();
  });
  request.once('end', resolve).once('close', resolve);
  request.resume();
  await promise;
  clearTimeout(timer);
  if (!request.complete) request.pause();
}
