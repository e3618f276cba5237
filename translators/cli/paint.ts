import { styleText } from 'node:util';
import type { Severity } from '../contract/difference.ts';

/** Colours, which vanish where the output is no terminal or NO_COLOR is set. */
export interface Paint {
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly good: (text: string) => string;
  readonly title: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly severity: (severity: Severity) => string;
}

/** Colours for a stream. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  const style =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      styleText(format, text, { stream: stream as NodeJS.WriteStream, validateStream: true });
  const bad = style('red');
  const warn = style('yellow');
  const good = style('green');
  const faint = style('dim');
  return {
    bad,
    warn,
    good,
    faint,
    title: style('bold'),
    severity(severity) {
      const text = severity.padEnd(10);
      switch (severity) {
        case 'breaking':
          return bad(text);
        case 'compatible':
          return good(text);
        case 'wording':
          return faint(text);
      }
    },
  };
}
