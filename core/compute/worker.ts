import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { SharedSecret } from '@perennial/schemas/platform/internal-token.ts';
import { isBrief, limitsOf, SEQUENCES_MAX } from './limits.ts';
import { type Answering, type Asking, sentError } from './messages.ts';
import { Mind } from './mind.ts';
import { answeredTasks, type SequenceName, type Sequences, type TaskName, type Tasks } from './tasks.ts';
import { betweenWork, withinLimits } from './work.ts';

/*
 * The thread that holds the knowledge. It works on one question at a time; while it works on a long one it looks, every
 * so often, for short ones that have come meanwhile and answers them in between.
 */

/** What it is started with. */
export interface ThreadData {
  readonly secret: SharedSecret;
  /** Counts signs of life. */
  readonly pulse: Int32Array;
}

const port = parentPort;
if (!port) throw new Error('this is a thread of core');
const { secret, pulse } = workerData as ThreadData;

const answer = (message: Answering): void => port.postMessage(message);
const written: ReadonlySet<TaskName> = new Set(answeredTasks);
const later: Asking[] = [];
const sequences = new Map<number, Iterator<Sequences[SequenceName]['piece'], void>>();
let depth = 0;

function beat(): void {
  Atomics.add(pulse, 0, 1);
}

function work(mind: Mind, asking: Asking): void {
  beat();
  if (asking.kind === 'close') {
    sequences.delete(asking.sequence);
    return;
  }
  depth += 1;
  try {
    answer(withinLimits(limitsOf(asking), () => carryOut(mind, asking)));
  } catch (error) {
    answer({ kind: 'refused', id: asking.id, error: sentError(error) });
  } finally {
    depth -= 1;
    beat();
  }
}

function carryOut(mind: Mind, asking: Exclude<Asking, { kind: 'close' }>): Answering {
  const { id } = asking;
  switch (asking.kind) {
    case 'run':
      return done(id, asking.name, mind.run(asking.name, asking.input));
    case 'open': {
      const opened = mind.iterate(asking.name, asking.input);
      sequences.set(id, opened);
      const [oldest] = sequences.keys();
      if (sequences.size > SEQUENCES_MAX && oldest !== undefined) sequences.delete(oldest);
      return next(id, id);
    }
    case 'next':
      return next(id, asking.sequence);
  }
}

function done(id: number, name: TaskName, output: Tasks[TaskName]['output']): Answering {
  if (written.has(name)) return { kind: 'done', id, output: undefined, text: JSON.stringify(output) };
  if (name !== 'knowledge.answer') return { kind: 'done', id, output };
  const { data, ...rest } = output as Tasks['knowledge.answer']['output'];
  return { kind: 'done', id, output: rest, ...(data === undefined ? {} : { text: JSON.stringify(data) }) };
}

function next(id: number, sequence: number): Answering {
  const open = sequences.get(sequence);
  if (!open) throw new Error('the sequence has been ended');
  // It is now the one that was asked most recently.
  sequences.delete(sequence);
  const { value, done } = open.next();
  if (!done) sequences.set(sequence, open);
  return { kind: 'piece', id, piece: value, isLast: done === true };
}

/** Answers what is short and has come while something long is worked on; what is long waits. */
function meanwhile(mind: Mind): void {
  beat();
  // One level only: a short question is never interrupted.
  if (depth > 1 || !port) return;
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    const asking = received.message as Asking;
    if (isBrief(asking)) work(mind, asking);
    else later.push(asking);
  }
}

try {
  const mind = new Mind(secret);
  betweenWork(() => meanwhile(mind));
  port.on('message', (asking: Asking) => {
    work(mind, asking);
    // Waiting questions come before newer ones.
    for (let first = later.shift(); first; first = later.shift()) work(mind, first);
  });
  answer({ kind: 'ready' });
  setImmediate(() => mind.prepare());
} catch (error) {
  answer({ kind: 'failed', message: error instanceof Error ? error.message : 'unknown failure' });
}
