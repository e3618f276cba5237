/**
 * The registry of error codes. A code never changes within a version and a retired code is never used again
 * (specification, section 7); messages may change at any time and never contain a submitted value.
 */

interface ErrorEntry {
  /** HTTP status it is answered with. */
  readonly status: number;
  /** What the client reads unless the place that fails says it better. */
  readonly message: string;
}

/** Errors a response can carry as `error.code`. */
export const errors = {
  body_malformed: { status: 400, message: 'The body is not well-formed JSON in UTF-8.' },
  idempotency_key_invalid: {
    status: 400,
    message: 'Idempotency-Key must be 1 to 255 printable characters of ASCII, sent once.',
  },
  version_unknown: { status: 400, message: 'The requested version does not exist.' },
  request_malformed: { status: 400, message: 'The request could not be read.' },
  credential_missing: { status: 401, message: 'No API key was sent. Send it as "Authorization: Bearer <API_KEY>".' },
  credential_invalid: { status: 401, message: 'The API key is not valid.' },
  credential_expired: { status: 401, message: 'The API key has expired.' },
  credential_format_retired: {
    status: 401,
    message: 'Keys of the old format (sk_…) are not accepted by this version. Use a key that begins with hai_.',
  },
  credential_place_retired: {
    status: 401,
    message: 'This version does not take the API key in the URL. Send it as "Authorization: Bearer <API_KEY>".',
  },
  scope_missing: { status: 403, message: 'The API key lacks the scope that this operation needs.' },
  not_found: { status: 404, message: 'There is no such object.' },
  result_expired: { status: 404, message: 'The result of the job has been erased; it was kept until `expires_at`.' },
  route_unknown: { status: 404, message: 'There is no such operation.' },
  operation_not_in_version: { status: 404, message: 'This operation does not exist in the requested version.' },
  method_not_allowed: { status: 405, message: 'The path does not support this method; see the Allow header.' },
  not_acceptable: { status: 406, message: 'The operation cannot answer in a media type that Accept allows.' },
  conflict: { status: 409, message: 'The object was changed by someone else at the same time. Read it and try again.' },
  idempotency_answer_erased: {
    status: 409,
    message: 'A request with this Idempotency-Key was carried out; what it answered has since been deleted.',
  },
  idempotency_in_flight: {
    status: 409,
    message: 'A request with this Idempotency-Key is under way. Send it again after the time in Retry-After.',
  },
  job_ended: { status: 409, message: 'The job has ended and can no longer be cancelled.' },
  job_unfinished: { status: 409, message: 'The job has not ended yet; there is no result to read.' },
  delivery_erased: {
    status: 409,
    message: 'What was sent has been erased and cannot be sent again.',
  },
  subscription_inactive: { status: 409, message: 'The subscription is paused or disabled; resume it first.' },
  instance_exists: {
    status: 409,
    message: 'Another image with the same SOP Instance UID is stored already, with other content.',
  },
  limit_reached: {
    status: 409,
    message: 'There are as many of these as there may be; delete some before you add more.',
  },
  version_sunset: { status: 410, message: 'This version has reached its sunset and is no longer available.' },
  precondition_failed: { status: 412, message: 'The object has changed since it was read (If-Match).' },
  image_too_large: { status: 413, message: 'The image is larger, once decoded, than this service takes.' },
  body_too_large: { status: 413, message: 'The body is larger than this operation accepts.' },
  uri_too_long: { status: 414, message: 'The request target is longer than this service accepts.' },
  media_type_unsupported: { status: 415, message: 'The body must be of a media type that the operation takes.' },
  range_not_satisfiable: {
    status: 416,
    message: 'The range lies outside the content; see Content-Range for its size.',
  },
  expectation_failed: {
    status: 417,
    message: 'Expect asks for what this service does not do; the only expectation that is met is 100-continue.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used for another request. Use a new key for each request.',
  },
  image_unreadable: { status: 422, message: 'The image is damaged or not complete: it cannot be read.' },
  computation_too_large: {
    status: 422,
    message: 'Working this out costs more than one request may; send less text or fewer entries.',
  },
  validation_failed: { status: 422, message: 'Some of what was sent is not valid; see details.' },
  rate_limited: { status: 429, message: 'Too many requests; try again after the time in Retry-After.' },
  headers_too_large: { status: 431, message: 'The request headers are larger than this service accepts.' },
  internal_error: { status: 500, message: 'Something failed on our side. Nothing was changed.' },
  translation_failed: { status: 500, message: 'The answer could not be translated to the requested version.' },
  core_failed: { status: 502, message: 'The service behind the gateway did not give a usable answer.' },
  computation_timeout: { status: 503, message: 'Working this out took too long; nothing was kept. Try again later.' },
  unavailable: { status: 503, message: 'The service is not available for the moment; try again shortly.' },
  storage_full: { status: 507, message: 'There is no room to store what was sent. Nothing was kept; try again later.' },
  core_timeout: { status: 504, message: 'The service behind the gateway did not answer in time.' },
} as const satisfies Record<string, ErrorEntry>;

/** A code of the registry. */
export type ErrorCode = keyof typeof errors;

/** Codes of single faults in `error.details`, with what the client reads. */
export const details = {
  required: 'This field is required.',
  unknown_field: 'This version has no such field.',
  unknown_parameter: 'This operation has no such parameter in this version.',
  repeated_parameter: 'This parameter may be given only once.',
  wrong_type: 'The value is of the wrong type.',
  not_allowed_value: 'The value is not one of those allowed.',
  wrong_format: 'The value does not have the required format.',
  too_short: 'The value is too short.',
  too_long: 'The value is too long.',
  too_small: 'The value is below the least one allowed.',
  too_large: 'The value is above the largest one allowed.',
  too_few: 'Too few entries.',
  too_many: 'Too many entries.',
  duplicate_entry: 'Entries must differ from each other.',
  in_future: 'The date lies in the future.',
  implausible: 'The value is outside what is possible; check the unit.',
  https_required: 'The address must begin with https://.',
  not_readable: 'The API key may not read what this would carry; name other kinds, or ask for thin payloads.',
  address_forbidden: 'The address leads into a network that is not the public internet.',
  immutable: 'This field cannot be changed; it differs from the object’s own.',
  cursor_invalid: 'The cursor was not issued for this list with these filters and this order.',
  not_both: 'These cannot be given together.',
  missing_input: 'Too little was given for this operation.',
  too_broad: 'The question reaches further than one answer may; narrow it.',
  invalid_text: 'The text contains characters that cannot be stored.',
  malformed: 'The value could not be read.',
  content_mismatch: 'The content is not of the media type that was named.',
  code_malformed: 'The code is not one that its code system can have; check its form and its check digit.',
  unit_unknown: 'The unit is not one of UCUM.',
  unit_unfit: 'The unit does not measure what the code stands for, or not in a way that can be converted.',
} as const satisfies Record<string, string>;

/** A code of a single fault. */
export type DetailCode = keyof typeof details;

/** Every error code, sorted. */
export const errorCodes: readonly ErrorCode[] = (Object.keys(errors) as ErrorCode[]).sort();
/** Every detail code, sorted. */
export const detailCodes: readonly DetailCode[] = (Object.keys(details) as DetailCode[]).sort();

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return errors[code].status;
}

/** Where a code is explained, relative to the gateway's address. */
export function documentationUrl(code: ErrorCode): string {
  return `/errors#${code}`;
}
