/** One thing that is wrong, named in the client's own version. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** What the service said of a request that failed. Codes never change within a version; words may. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly documentationUrl: string | undefined;
  /** The error as it came, with members that this package does not know. */
  readonly body: unknown;
}

/** The service answered with an error. */
export class ServiceError extends Error implements Failure {
  override readonly name: string = 'ServiceError';
  readonly status: number;
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | undefined;
  readonly documentationUrl: string | undefined;
  readonly body: unknown;

  constructor(failure: Failure) {
    super(failure.message);
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.documentationUrl = failure.documentationUrl;
    this.body = failure.body;
  }
}

/** 401: the key is missing, wrong, expired, or of a form that the version has retired. */
export class NotAuthenticated extends ServiceError {
  override readonly name = 'NotAuthenticated';
}
/** 403: the key lacks the scope. */
export class NotAllowed extends ServiceError {
  override readonly name = 'NotAllowed';
}
/** 404: there is no such thing, or not for this account. */
export class NotFound extends ServiceError {
  override readonly name = 'NotFound';
}
/** 409: the state of the thing does not allow it. */
export class Conflict extends ServiceError {
  override readonly name = 'Conflict';
}
/** 410 `version_sunset`: the version has ended; `body` lists those that can be called. */
export class VersionEnded extends ServiceError {
  override readonly name = 'VersionEnded';
}
/** 412: it has changed since it was read. */
export class Changed extends ServiceError {
  override readonly name = 'Changed';
}
/** 400 and 422: the request is not what the version takes; `details` say where. */
export class Invalid extends ServiceError {
  override readonly name = 'Invalid';
}
/** 429: too many requests, retries included. */
export class TooMany extends ServiceError {
  override readonly name = 'TooMany';
}
/** 5xx: the service could not do it. */
export class Unavailable extends ServiceError {
  override readonly name = 'Unavailable';
}

/** No answer came: the network, or the time that was given, ended first. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The error of an answer, by its status; a code that is not known yet is one of its status all the same. */
export function errorOf(status: number, text: string): ServiceError {
  const body = parse(text);
  const error = (body?.['error'] ?? {}) as Record<string, unknown>;
  const failure: Failure = {
    status,
    code: typeof error['code'] === 'string' ? error['code'] : `http_${status}`,
    message: typeof error['message'] === 'string' ? error['message'] : `The service answered ${status}.`,
    details: Array.isArray(error['details']) ? (error['details'] as ErrorDetail[]) : [],
    requestId: typeof body?.['requestId'] === 'string' ? body['requestId'] : undefined,
    documentationUrl: typeof error['documentation_url'] === 'string' ? error['documentation_url'] : undefined,
    body: body?.['error'],
  };
  const kind = byStatus[status] ?? (status >= 500 ? Unavailable : ServiceError);
  return new kind(failure);
}

const byStatus: Readonly<Record<number, new (failure: Failure) => ServiceError>> = {
  400: Invalid,
  401: NotAuthenticated,
  403: NotAllowed,
  404: NotFound,
  409: Conflict,
  410: VersionEnded,
  412: Changed,
  422: Invalid,
  429: TooMany,
};

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
