import type { OpenApiDocument } from './document.ts';

/** Whether a difference breaks clients, adds something, or is only said differently. */
export type Severity = 'breaking' | 'compatible' | 'wording';

/** One difference. */
export interface Difference {
  readonly severity: Severity;
  /** What it is about: `patients.list`, or `Patient.contact.email` of a schema. */
  readonly place: string;
  /** Whether clients send it or receive it. */
  readonly direction: Direction;
  /** What differs, in words, without the place. */
  readonly text: string;
  /** Operations that it concerns. Empty when it concerns all. */
  readonly operations: readonly string[];
}

/** Which way a schema travels. */
export type Direction = 'request' | 'response' | 'operation';

/** Takes a difference that was found. */
export type Report = (severity: Severity, place: string, text: string) => void;

/** The contract that the client was written for, and the one that it meets. */
export interface Documents {
  readonly older: OpenApiDocument;
  readonly newer: OpenApiDocument;
}

/** The component that a reference names. */
export function nameOf(ref: string): string {
  return ref.split('/').at(-1) as string;
}

/** What the first list has and the second has not. */
export function without<T>(list: readonly T[] | undefined, others: readonly T[] | undefined): readonly T[] {
  return (list ?? []).filter((each) => !(others ?? []).includes(each));
}

/** A value as it is written in a difference. */
export function say(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
