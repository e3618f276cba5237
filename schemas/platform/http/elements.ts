import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type BodyElements, NDJSON } from '../../operation.ts';
import type { ErrorDetail } from '../../resources/error-body.ts';
import { checkMediaType, hasBody, hasLeft, parseJson } from './body.ts';
import { Fault, invalidAt } from './fault.ts';
import { elementTooLarge, JsonSplitter } from './json-splitter.ts';

/** What a body of elements may be, beside what its operation says. */
export interface ElementLimits {
  /** Largest body, as sent and again when decompressed. */
  readonly bodyBytesMax: number;
  /** Most objects and arrays inside each other, in one element. */
  readonly bodyDepthMax: number;
}

/** One element of a body, as it was read. */
export interface Element {
  /** Its place, from 0. */
  readonly index: number;
  /** Parsed; undefined when it has faults. */
  readonly value: unknown;
  /** Texts that cannot be stored, with their place in the element. */
  readonly faults: readonly ErrorDetail[];
}

/** A body that is read element by element. */
export interface ElementBody {
  /** The form it came in. */
  readonly mediaType: 'application/json' | typeof NDJSON;
  /** The elements, read as they are asked for. @throws Fault with what is wrong with the body as a whole. */
  readonly elements: AsyncGenerator<Element>;
  /**
   * The members beside the list, once all elements have been read: none of NDJSON.
   * @throws Fault when one cannot be read, or there is no list.
   */
  members(): Readonly<Record<string, unknown>>;
}

const LINE_FEED = 0x0a;

/**
 * Reads a body element by element: memory holds one element and what the socket has delivered, and the sender waits
 * while nobody asks for more.
 * @throws Fault 415, 413 or 400 at once for what the headers say already.
 */
export function readElements(request: IncomingMessage, elements: BodyElements, limits: ElementLimits): ElementBody {
  if (!hasBody(request)) throw new Fault('body_malformed', { message: 'A body is required.' });
  const mediaType = checkMediaType(request.headers['content-type'], ['application/json', NDJSON]);
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytesMax) throw new Fault('body_too_large');
  const chunks = bounded(decompressed(request), limits.bodyBytesMax);
  const depthMax = limits.bodyDepthMax;
  if (mediaType === NDJSON) {
    return {
      mediaType,
      elements: parsed(lines(chunks, elements.bytesMax), elements, depthMax),
      members: () => ({}),
    };
  }
  const splitter = new JsonSplitter(elements.member, elements.bytesMax);
  return {
    mediaType: 'application/json',
    elements: parsed(split(chunks, splitter), elements, depthMax),
    members: () => {
      const members = [...splitter.members].map(([name, bytes]) => [name, parseJson(bytes, depthMax)] as const);
      if (splitter.hasList) return Object.fromEntries(members);
      const isThere = splitter.members.has(elements.member);
      throw invalidAt(`/${elements.member}`, isThere ? 'wrong_type' : 'required');
    },
  };
}

async function* parsed(
  pieces: AsyncIterable<Buffer>,
  { countMax, member }: BodyElements,
  depthMax: number,
): AsyncGenerator<Element> {
  let index = 0;
  for await (const piece of pieces) {
    if (index === countMax) {
      throw new Fault('validation_failed', {
        message: `One request may hold ${countMax} entries at most. Send the others in another.`,
        details: [{ code: 'too_many', message: 'Too many entries.', pointer: `/${member}` }],
      });
    }
    yield { index, ...parse(piece, depthMax, index) };
    index += 1;
  }
}

function parse(piece: Buffer, depthMax: number, index: number): Pick<Element, 'value' | 'faults'> {
  try {
    return { value: parseJson(piece, depthMax), faults: [] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === 'validation_failed') return { value: undefined, faults: error.details };
    throw new Fault(error.code, { message: `Entry ${index} (from 0) cannot be read. ${error.message}` });
  }
}

async function* split(chunks: AsyncIterable<Buffer>, splitter: JsonSplitter): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield* splitter.push(chunk);
  splitter.finish();
}

/** Lines that hold anything; blank ones count for nothing. */
async function* lines(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      restBytes = 0;
      start = end + 1;
      if (line.length > bytesMax) throw elementTooLarge(bytesMax);
      if (!isBlank(line)) yield line;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    restBytes += chunk.length - start;
    if (restBytes > bytesMax) throw elementTooLarge(bytesMax);
  }
  const last = Buffer.concat(rest);
  if (!isBlank(last)) yield last;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

async function* bounded(source: Readable, bytesMax: number): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    // Leaving early must not break the connection: the refusal is still to be sent on it.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > bytesMax) throw new Fault('body_too_large');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    const code = String((error as NodeJS.ErrnoException).code);
    const message = /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code)
      ? 'The body could not be decompressed.'
      : 'The body broke off.';
    throw new Fault('body_malformed', { message });
  }
}

function decompressed(request: IncomingMessage): Readable {
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decoder = decoderOf(coding);
  if (!decoder) return request;
  // Not a pipeline, which would break the connection with the decoder: a refusal is still to be sent on it.
  const onClose = (): void => {
    if (!request.readableEnded) decoder.destroy(new Error('the body broke off'));
  };
  request.once('close', onClose);
  if (hasLeft(request)) onClose();
  return request.pipe(decoder);
}

function decoderOf(coding: string): ReturnType<typeof createGunzip> | undefined {
  switch (coding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      throw new Fault('media_type_unsupported', {
        message: 'The content coding of the body is not one that is accepted.',
        headers: { 'accept-encoding': 'gzip, deflate, br' },
      });
  }
}

/** Between gateway and core: the elements were checked where they came in, and those not valid there say why. */
export const CHECKED_ELEMENTS_HEADER = 'perennial-elements-checked';

/** How much more is read and thrown away after a refusal, so that the caller is still there to read it. */
const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
const DISCARD_TIMEOUT_MS = 2_000;

/** Reads and drops the rest of a body that is refused, within bounds. @returns whether all of it came. */
export async function discardRest(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return request.readableEnded;
  return new Promise((resolve) => {
    let total = 0;
    const settle = (whole: boolean): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(whole);
    };
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total > DISCARD_BYTES_MAX) settle(false);
    };
    const onEnd = (): void => settle(true);
    const onGone = (): void => settle(request.readableEnded);
    const timer = setTimeout(() => settle(false), DISCARD_TIMEOUT_MS);
    request.unpipe();
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone).resume();
  });
}
