import type { ErrorCode } from '@perennial/schemas/errors.ts';
import { Fault } from '@perennial/schemas/platform/http/fault.ts';
import type { ErrorDetail } from '@perennial/schemas/resources/error-body.ts';
import type { SequenceName, Sequences, TaskName, Tasks } from './tasks.ts';
import { WorkSpent } from './work.ts';

/** What the thread is asked. */
export type Asking =
  | { readonly kind: 'run'; readonly id: number; readonly name: TaskName; readonly input: Tasks[TaskName]['input'] }
  | {
      readonly kind: 'open';
      readonly id: number;
      readonly name: SequenceName;
      readonly input: Sequences[SequenceName]['input'];
    }
  | { readonly kind: 'next'; readonly id: number; readonly sequence: number }
  | { readonly kind: 'close'; readonly sequence: number };

/** What it answers. */
export type Answering =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'done';
      readonly id: number;
      readonly output: unknown;
      /** What is answered as it is, as JSON: the output, or its `data` where it is a whole outcome. */
      readonly text?: string;
    }
  | { readonly kind: 'piece'; readonly id: number; readonly piece: unknown; readonly isLast: boolean }
  | { readonly kind: 'refused'; readonly id: number; readonly error: SentError };

/** An error on its way between threads. */
export type SentError =
  | {
      readonly kind: 'fault';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'error'; readonly name: string; readonly message: string; readonly stack: string | undefined };

const RETRY_AFTER = { 'retry-after': '1' };

/** An error as it is sent. What ended for its cost is the caller's to change, or where the clock ended it, to repeat. */
export function sentError(error: unknown): SentError {
  if (error instanceof WorkSpent) return sentError(spentFault(error));
  if (error instanceof Fault) {
    const { code, message, details, headers } = error;
    return { kind: 'fault', code, message, details, headers };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'error', name, message, stack };
}

/** The error that was sent. */
export function receivedError(sent: SentError): Error {
  if (sent.kind === 'fault') {
    const { code, message, details, headers } = sent;
    return new Fault(code, { message, details, headers });
  }
  const error = new Error(sent.message);
  error.name = sent.name;
  if (sent.stack !== undefined) error.stack = sent.stack;
  return error;
}

function spentFault({ on }: WorkSpent): Fault {
  return on === 'time'
    ? new Fault('computation_timeout', { headers: RETRY_AFTER })
    : new Fault(
        'computation_too_large',
        on === 'entries' ? { message: 'The answer would be larger than one may be; send less.' } : {},
      );
}
