import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { Answer } from '../support/gateway.ts';

/** The body of an answer as it is written down: JSON, lines and events parsed, text as it is, bytes as their hash. */
export function bodyOf({ headers, bytes, text }: Answer): unknown {
  const type = headers['content-type'] ?? '';
  if (/^text\/event-stream\b/.test(type)) return eventsOf(text);
  if (/^(application\/([a-z.+-]+\+)?json|application\/x-ndjson)\b/.test(type)) return jsonOf(text);
  if (/^text\//.test(type)) return text;
  if (/^image\/png\b/.test(type)) return pictureOf(bytes);
  const boundary = BOUNDARY.exec(type)?.[1];
  if (boundary !== undefined) {
    const parts = Buffer.from(bytes.toString('latin1').replaceAll(boundary, '<boundary>'), 'latin1');
    return { bytes: parts.length, sha256: sha256(parts) };
  }
  return { bytes: bytes.length, sha256: sha256(bytes) };
}

/** A boundary of parts, which is random. */
export const BOUNDARY = /boundary="?([^";]+)"?/;

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Size and samples: how well they are compressed differs from processor to processor. */
function pictureOf(png: Buffer): unknown {
  const samples: Buffer[] = [];
  for (let at = 8; at + 8 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      samples.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return { width, height, samples_sha256: sha256(inflateSync(Buffer.concat(samples))) };
}

/** One value, or one a line as a list; text where it is neither. */
function jsonOf(text: string): unknown {
  for (const candidate of [text, `[${text.trimEnd().split('\n').join(',')}]`])
    try {
      return JSON.parse(candidate);
    } catch {
      // The next form.
    }
  return text;
}

/** Events of a stream, each with its fields; `data` parsed. Comments keep the connection alive and are left out. */
function eventsOf(text: string): readonly unknown[] {
  return text
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith(':')))
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      Object.fromEntries(
        lines.map((line) => {
          const [name = '', value = ''] = line.split(/: ?(.*)/s);
          return [name, name === 'data' ? jsonOf(value) : value];
        }),
      ),
    );
}
