import { createHash } from 'node:crypto';
import type { Answer } from '../support/gateway.ts';

/** The body of an answer as it is written down: JSON, lines and events parsed, text as it is, bytes as their hash. */
export function bodyOf({ headers, bytes, text }: Answer): unknown {
  const type = headers['content-type'] ?? '';
  if (/^text\/event-stream\b/.test(type)) return eventsOf(text);
  if (/^(application\/([a-z.+-]+\+)?json|application\/x-ndjson)\b/.test(type)) return jsonOf(text);
  if (/^text\//.test(type)) return text;
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
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
