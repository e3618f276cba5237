/** How much one computation may cost. */
export interface WorkLimits {
  /** Units of work: some tens of nanoseconds each, counted where loops run. The same input always counts the same. */
  readonly unitsMax: number;
  /** Entries of the answer. */
  readonly entriesMax: number;
  /** The outer wall in processor time, should a loop that counts little run long. What other computations take does not count. */
  readonly timeoutMs: number;
}

/** Which of the limits was reached. */
export type SpentOn = 'units' | 'entries' | 'time';

/** Raised within a computation that has cost what it may. */
export class WorkSpent extends Error {
  override readonly name = 'WorkSpent';
  readonly on: SpentOn;

  constructor(on: SpentOn) {
    super(`The computation has spent its ${on}.`);
    this.on = on;
  }
}

/** Processor time of this thread: a question is not to blame for what else the machine has to do. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Units between two looks at the clock. */
const UNITS_A_LOOK = 50_000;

class Work {
  units = 0;
  entries = 0;
  nextLook = UNITS_A_LOOK;
  /** Moved on by the time that other computations took in between. */
  deadlineMs: number;
  readonly limits: WorkLimits;

  constructor(limits: WorkLimits) {
    this.limits = limits;
    this.deadlineMs = processorMs() + limits.timeoutMs;
  }
}

/*
 * The computation under way. Computations are synchronous, so there is one at a time in a thread, and whatever is
 * called within it need not be handed a budget to spend from it.
 */
let current: Work | undefined;
let meanwhile: (() => void) | undefined;

/**
 * Carries out a computation within limits.
 * @throws WorkSpent when it has cost what it may.
 */
export function withinLimits<T>(limits: WorkLimits, compute: () => T): T {
  const outer = current;
  const work = new Work(limits);
  const begunMs = processorMs();
  current = work;
  try {
    return compute();
  } finally {
    current = outer;
    if (outer) outer.deadlineMs += processorMs() - begunMs;
  }
}

/** Counts work. Outside of a computation with limits it counts nothing. @throws WorkSpent */
export function spend(units: number): void {
  const work = current;
  if (work === undefined) return;
  work.units += units;
  if (work.units < work.nextLook) return;
  if (work.units > work.limits.unitsMax) throw new WorkSpent('units');
  work.nextLook = work.units + UNITS_A_LOOK;
  meanwhile?.();
  if (processorMs() > work.deadlineMs) throw new WorkSpent('time');
}

/** Counts entries of the answer. @throws WorkSpent */
export function produce(entries: number): void {
  if (current === undefined) return;
  current.entries += entries;
  if (current.entries > current.limits.entriesMax) throw new WorkSpent('entries');
}

/** What the computation under way has cost; nothing outside of one. */
export function workDone(): { readonly units: number; readonly entries: number } {
  return { units: current?.units ?? 0, entries: current?.entries ?? 0 };
}

/** Has this called every so often within long computations: what is waiting for the thread may be done in between. */
export function betweenWork(call: (() => void) | undefined): void {
  meanwhile = call;
}
