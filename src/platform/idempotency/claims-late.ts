import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const CLAIMS_LATE = 'claimsLate';

/** The record that a route answers: what it needs not keep of its answer, because the event of the creation has it. */
export interface Foreknown {
  /** What events call it, e.g. `ticket`. */
  object: string;
  /** The ETag of an answer that shows the record as it was made, by its JSON. */
  etag: (json: string) => string;
}

/**
 * For a POST whose handler does nothing outside its unit of work, asks PostgreSQL something first, and answers the record that it
 * creates last, as `Store.create` answers it. The Idempotency-Key is claimed in the flush of its first statement, a round trip less;
 * when it is not free nothing of the handler has been done. Where the answer is the new record and nothing else, it is kept as that
 * record's event, and the flush that creates the record ends the unit of work: another round trip less.
 */
export function ClaimsLate(record: Foreknown): MethodDecorator {
  return SetMetadata(CLAIMS_LATE, record);
}

/** What is known of the answer of such a route beforehand; null on any other. */
export function claimsLate(context: ExecutionContext): Foreknown | null {
  return (Reflect.getMetadata(CLAIMS_LATE, context.getHandler()) as Foreknown | undefined) ?? null;
}
