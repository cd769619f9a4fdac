/** The error catalogue: every `error.type` the API can answer with, and its HTTP status. */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  developer_suspended: 403,
  app_suspended: 403,
  no_subscription: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_error: 422,
  quota_exceeded: 429,
  rate_limit_exceeded: 429,
  header_fields_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  service_unavailable: 503,
} as const;

export type ErrorType = keyof typeof ERROR_STATUS;

/** One thing wrong with one field: `error.details[]`. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
  allowed?: readonly (string | number)[];
  [extra: string]: unknown;
}

export interface ErrorExtras {
  /** Absent required fields (`error.missing`). */
  missing?: readonly string[];
  details?: readonly ErrorDetail[];
  /** Response headers, e.g. `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
}

/** An answer other than success. `message` is for the API's client: never SQL, a stack or driver text. */
export class ApiError extends Error {
  readonly status: number;

  constructor(
    readonly type: ErrorType,
    message: string,
    readonly extras: ErrorExtras = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = ERROR_STATUS[type];
  }

  /** The uniform body of the specification. */
  body(requestId: string): { error: Record<string, unknown> } {
    const { missing, details } = this.extras;
    return {
      error: {
        type: this.type,
        message: this.message,
        status: this.status,
        request_id: requestId,
        ...(missing?.length ? { missing } : {}),
        ...(details?.length ? { details } : {}),
      },
    };
  }
}

/** Throws the error of the catalogue. */
export function fail(type: ErrorType, message: string, extras?: ErrorExtras): never {
  throw new ApiError(type, message, extras);
}

/** A 422 about one field; `error.missing` names it when it is `required`. */
export function invalid(field: string, code: string, message: string, extra: Record<string, unknown> = {}): never {
  const missing = code === 'required' ? [field] : [];
  fail('validation_error', message, { missing, details: [{ field, code, message, ...extra }] });
}

/** Throws the 422 that lists the problems, if there are any. */
export function refuseProblems(problems: readonly ErrorDetail[]): void {
  const [first] = problems;
  if (!first) return;
  const text =
    problems.length === 1 ? `${first.message}.` : `The request has ${problems.length} problems; see details.`;
  const missing = problems.filter(({ code }) => code === 'required').map(({ field }) => field);
  throw new ApiError('validation_error', text, { missing, details: problems });
}

/** A 405 that says what the path answers. */
export function refuseMethod(allowed: readonly string[]): never {
  const methods = allowed.join(', ');
  fail('method_not_allowed', `This path answers ${methods} only.`, { headers: { Allow: methods } });
}
