/** Shows people how far long work has come. */
export interface Progress {
  /** @param doing what is being done now, in a few words. */
  at(done: number, all: number, doing?: string): void;
  /** Clears the line. */
  end(): void;
}

interface Out {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BAR_WIDTH = 24;
const TEXT_WIDTH = 40;
/** Between two lines in a log, which nobody watches. */
const LINE_MS = 10_000;
/** Between two drawings of the bar. */
const DRAW_MS = 80;

/** @param out a terminal gets one line that is drawn over; a file or a pipe gets a line every ten seconds. */
export function createProgress(what: string, out: Out, now: () => number = Date.now): Progress {
  const isTerminal = out.isTTY === true;
  let last = isTerminal ? 0 : now();
  let isDrawn = false;
  return {
    at(done, all, doing = '') {
      if (now() - last < (isTerminal ? DRAW_MS : LINE_MS)) return;
      last = now();
      const share = all <= 0 ? 0 : Math.min(1, done / all);
      if (!isTerminal) {
        out.write(`${what}: ${done} of ${all}${doing === '' ? '' : `, ${doing}`}\n`);
        return;
      }
      isDrawn = true;
      const full = Math.round(share * BAR_WIDTH);
      const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
      out.write(`\r\u001b[K${what} ${bar} ${Math.floor(share * 100)}% ${done}/${all} ${doing.slice(0, TEXT_WIDTH)}`);
    },
    end() {
      if (isDrawn) out.write('\r\u001b[K');
      isDrawn = false;
    },
  };
}
