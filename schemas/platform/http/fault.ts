import { type DetailCode, details, documentationUrl, type ErrorCode, errors, statusOf } from '../../errors.ts';
import type { ErrorBody, ErrorDetail } from '../../resources/error-body.ts';
import { faultAt } from '../../validation.ts';

/** What a fault can say beside its code. */
export interface FaultOptions {
  /** Each fault with its place in what was sent. */
  readonly details?: readonly ErrorDetail[];
  /** Headers the answer carries, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Said in place of the registry's message where the place that fails knows better. Never a submitted value. */
  readonly message?: string;
  /** What this error says beside what every error does, such as the versions there are. */
  readonly members?: Partial<ErrorBody>;
  /** What really happened: logged, never answered. */
  readonly cause?: unknown;
}

/** A failure that the caller is told about: the one way a request fails on purpose. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Partial<ErrorBody>;

  constructor(code: ErrorCode, options: FaultOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.code = code;
    this.status = statusOf(code);
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
    this.members = options.members ?? {};
  }
}

/** The fault as the head contract writes it. */
export function errorBody(fault: Fault): ErrorBody {
  return {
    code: fault.code,
    message: fault.message,
    details: [...fault.details],
    documentation_url: documentationUrl(fault.code),
    ...fault.members,
  };
}

/** 422 with the given faults. */
export function invalid(faults: readonly ErrorDetail[]): Fault {
  return new Fault('validation_failed', { details: faults });
}

/** 422 for one place in the body. */
export function invalidAt(pointer: string, code: DetailCode): Fault {
  return invalid([faultAt(pointer, code)]);
}

/** 422 for one query parameter. */
export function invalidParameter(parameter: string, code: DetailCode): Fault {
  return invalid([{ code, message: details[code], parameter }]);
}
