import type { Lasting, Substance } from './types.ts';

const HALF_LIVES = 5;
const HOURS_A_DAY = 24;
const DAY_MS = 86_400_000;

/** What acts longer than its half-life says: `id` or `class id`, days, reason. */
const LONGER = /^(class )?([a-z0-9-]+) (\d+) (.+)$/;

/** How long substances act: five half-lives, at least a day, or longer where binding or induction outlasts them. */
export function lastingOf(
  halfLives: ReadonlyMap<string, readonly string[]>,
  longer: readonly string[],
  substances: readonly Substance[],
  mistakes: string[],
): ReadonlyMap<string, Lasting> {
  const byId = new Map(substances.map((each) => [each.id, each]));
  const lasting = new Map<string, Lasting>();
  for (const [id, [hours = '']] of halfLives) {
    if (!byId.has(id)) mistakes.push(`half-lives.txt: unknown substance ${id}`);
    if (!(Number(hours) > 0)) mistakes.push(`half-lives.txt: ${id} has no hours`);
    lasting.set(id, { days: Math.max(1, Math.ceil((Number(hours) * HALF_LIVES) / HOURS_A_DAY)), because: null });
  }
  for (const line of longer) {
    const [, isClass, id = '', days, because = ''] = LONGER.exec(line) ?? [];
    const members = isClass ? substances.filter((each) => each.classes.includes(id)) : [byId.get(id)];
    if (days === undefined || members.length === 0 || members[0] === undefined) mistakes.push(`lasting.txt: ${line}`);
    for (const member of members) {
      const held = member && lasting.get(member.id);
      if (member && !(held && held.days >= Number(days))) lasting.set(member.id, { days: Number(days), because });
    }
  }
  return lasting;
}

/** When one medication is taken; days as `YYYY-MM-DD`. */
export interface Span {
  readonly startedOn?: string;
  readonly stoppedOn?: string;
}

/** Days from the end of the one left off first to the beginning of the other, or to today; null when both go on. */
export function gapDays(
  x: Span,
  y: Span,
  today: string,
): { readonly stopped: 'x' | 'y'; readonly days: number } | null {
  const gap = (ended: Span, other: Span): number | null => {
    if (ended.stoppedOn === undefined) return null;
    const until = other.startedOn ?? (other.stoppedOn === undefined ? today : undefined);
    if (until === undefined) return null;
    const days = Math.round((Date.parse(until) - Date.parse(ended.stoppedOn)) / DAY_MS);
    return days > 0 ? days : null;
  };
  const first = gap(x, y);
  if (first !== null) return { stopped: 'x', days: first };
  const second = gap(y, x);
  return second === null ? null : { stopped: 'y', days: second };
}

/** The day a number of days after another. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
