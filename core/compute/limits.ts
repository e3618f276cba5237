import type { Asking } from './messages.ts';
import type { WorkLimits } from './work.ts';

/** What any computation may cost. The longest texts that the contract takes fit in, unless they are made to cost. */
const UNITS_MAX = 150_000_000;
const TIMEOUT_MS = 10_000;

/** Entries of an answer that any question may have, how many more its length allows, and when it is enough. */
const ENTRIES_MIN = 1_000;
const CHARACTERS_AN_ENTRY = 20;
const ENTRIES_MAX = 8_000;
/** Every pair of the longest list of medications is one, and says so even where nothing is known. */
const PAIRS_MAX = 6_000;

/** What one question may cost: by what is asked, never by how long it takes on this machine. */
export function limitsOf(asking: Asking): WorkLimits {
  const input = 'input' in asking ? asking.input : undefined;
  const byLength = ENTRIES_MIN + charactersOf(input, ENTRIES_MAX * CHARACTERS_AN_ENTRY) / CHARACTERS_AN_ENTRY;
  const isCheck = asking.kind === 'run' && asking.name === 'medications.check';
  return {
    unitsMax: UNITS_MAX,
    entriesMax: isCheck ? PAIRS_MAX : Math.min(ENTRIES_MAX, byLength),
    timeoutMs: TIMEOUT_MS,
  };
}

/** Whether a question is soon answered. A stage of an analysis may be long, whatever asks for it. */
export function isBrief(asking: Asking): boolean {
  if (asking.kind === 'close') return true;
  return asking.kind === 'run' && charactersOf(asking.input, BRIEF_CHARACTERS + 1) <= BRIEF_CHARACTERS;
}

/** Characters of all texts in a value, and one for every member; counted up to a limit. */
function charactersOf(value: unknown, limit: number): number {
  if (typeof value === 'string') return Math.min(limit, value.length);
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 1;
  for (const each of Object.values(value)) {
    if (sum >= limit) break;
    sum += charactersOf(each, limit - sum);
  }
  return sum;
}

/** Bounds of the thread that computes. */
export interface ThreadLimits {
  /** Questions that wait for an answer; more are refused. */
  readonly waitingMax: number;
  /** How long the thread may take to read the knowledge; a machine that is busy otherwise takes many times as long. */
  readonly loadMsMax: number;
  /** How long the thread may be unresponsive while work is pending. */
  readonly silenceMsMax: number;
  readonly heapMiBMax: number;
}

export const threadLimits: ThreadLimits = {
  waitingMax: 512,
  loadMsMax: 180_000,
  silenceMsMax: 30_000,
  heapMiBMax: 384,
};

/** Characters of a question that is answered in between, while a longer one is worked on. */
const BRIEF_CHARACTERS = 6_000;

/** Most sequences open at a time; beyond it the least recently used one is ended. */
export const SEQUENCES_MAX = 256;
