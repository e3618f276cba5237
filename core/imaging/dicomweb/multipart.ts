import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { hasLeft } from '@perennial/schemas/platform/http/body.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';

/** One part of a body of multipart/related (RFC 2387). */
export interface RelatedPart {
  /** In small letters, without parameters; empty when the part does not say. */
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Buffer>;
}

/** How many files one body may have. */
const PARTS_MAX = 500;
/** RFC 2046 allows 70 characters; what clients send is longer now and then. */
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))(?=[\s;]|$)/i;
const TYPE = /;\s*type=(?:"([^"]{1,80})"|([^\s;"]{1,80}))/i;

/**
 * Reads the parts of a body, one after the other: the next one comes when the last was taken, and what was left of that
 * is passed over. It ends without a fault only after the last boundary: until then nobody can know that the parts are
 * whole.
 * @throws Fault `media_type_unsupported` unless it is multipart/related of DICOM files; `body_malformed`,
 * `request_malformed`
 */
export async function* readParts(request: IncomingMessage): AsyncGenerator<RelatedPart> {
  const parser = openParser(request);
  const waiting: (RelatedPart & { readonly stream: Readable })[] = [];
  let current: Readable | undefined;
  let failure: Fault | undefined;
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  const tell = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  const fail = (fault: Fault): void => {
    failure ??= fault;
    // Whoever reads it would wait for ever.
    current?.destroy(failure);
    tell();
  };
  async function* bytesOf(part: Readable): AsyncGenerator<Buffer> {
    try {
      // A destroyed part would hold up those after it.
      for await (const chunk of part.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
    } catch {
      // The parser's own error is about the body, and none of ours.
      throw failure ?? malformed();
    }
  }
  let count = 0;
  parser.on('part', (part: Readable) => {
    count += 1;
    // Where nobody listens, an error ends the process.
    part.on('error', () => fail(malformed()));
    if (count > PARTS_MAX) {
      part.resume();
      fail(new Fault('body_too_large', { message: `A body may hold ${PARTS_MAX} files.` }));
      return;
    }
    let mediaType = '';
    part.on('header', (header: Readonly<Record<string, readonly string[]>>) => {
      mediaType = (header['content-type']?.[0] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    });
    waiting.push({
      get mediaType() {
        return mediaType;
      },
      bytes: bytesOf(part),
      stream: part,
    });
    tell();
  });
  parser.on('error', () => fail(malformed()));
  parser.on('finish', () => {
    isOver = true;
    tell();
  });
  const onClose = (): void => {
    if (!request.readableEnded) fail(new Fault('request_malformed', { message: 'The body broke off.' }));
  };
  request.once('close', onClose).once('error', onClose);
  request.pipe(parser);
  if (hasLeft(request)) onClose();
  try {
    for (;;) {
      if (failure) throw failure;
      const next = waiting.shift();
      if (next) {
        current = next.stream;
        yield next;
        current.resume();
      } else if (isOver) return;
      else await wake.promise;
    }
  } finally {
    request.off('close', onClose).off('error', onClose);
    request.unpipe(parser);
    if (!request.complete) request.resume();
  }
}

function openParser(request: IncomingMessage): InstanceType<typeof Dicer> {
  const refused = new Fault('media_type_unsupported', {
    headers: { accept: 'multipart/related; type="application/dicom"' },
  });
  const header = request.headers['content-type'] ?? '';
  if (!/^multipart\/related\s*;/i.test(header) || request.headers['content-encoding'] !== undefined) throw refused;
  const type = TYPE.exec(header);
  if (type && (type[1] ?? type[2])?.toLowerCase() !== 'application/dicom') throw refused;
  const boundary = BOUNDARY.exec(header);
  if (!boundary) throw refused;
  return new Dicer({ boundary: boundary[1] ?? boundary[2], maxHeaderPairs: 20 } as ConstructorParameters<
    typeof Dicer
  >[0]);
}

function malformed(): Fault {
  return new Fault('body_malformed', { message: 'The body is not well-formed multipart data.' });
}

/** A part of an answer. */
export interface AnsweredPart {
  readonly contentType: string;
  readonly size: number;
  readonly open: () => Promise<Readable>;
}

/** A body of parts, and what is said of it. */
export function writeParts(
  parts: readonly AnsweredPart[],
  type: string,
  boundary: string,
): { readonly headers: Readonly<Record<string, string>>; readonly open: () => Promise<Readable> } {
  const heads = parts.map(({ contentType }) => Buffer.from(`--${boundary}\r\nContent-Type: ${contentType}\r\n\r\n`));
  const end = Buffer.from(`--${boundary}--\r\n`);
  const size = parts.reduce((sum, part, at) => sum + (heads[at]?.length ?? 0) + part.size + 2, end.length);
  async function* body(): AsyncGenerator<Buffer> {
    for (const [at, part] of parts.entries()) {
      yield heads[at] as Buffer;
      for await (const chunk of await part.open()) yield chunk as Buffer;
      yield Buffer.from('\r\n');
    }
    yield end;
  }
  return {
    headers: {
      'content-type': `multipart/related; type="${type}"; boundary=${boundary}`,
      'content-length': String(size),
    },
    open: async () => Readable.from(body()),
  };
}
