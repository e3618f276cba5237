import type { ErrorDetail } from '../../resources/error-body.ts';
import { escapeToken, faultAt } from '../../validation.ts';

/** Most faults listed; the first few say enough. */
const FAULTS_MAX = 20;

/** Whether PostgreSQL can store the text: no NUL, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/**
 * The strings of a parsed body that cannot be stored, each with its pointer. The body's nesting has been bounded
 * before, so that following it cannot exhaust the stack.
 */
export function unstorableText(body: unknown): readonly ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (faults.length >= FAULTS_MAX) return;
    if (typeof value === 'string') {
      if (!isStorable(value)) faults.push(faultAt(pointer, 'invalid_text'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        // A name that cannot be stored is the fault of the object that has it: the name itself cannot be pointed to.
        if (isStorable(key)) visit(member, `${pointer}/${escapeToken(key.slice(0, 100))}`);
        else faults.push(faultAt(pointer, 'invalid_text'));
      }
    }
  };
  visit(body, '');
  return faults;
}
