import { type ExecutionContext, SetMetadata } from '@nestjs/common';

const CLAIMS_LATE = 'claimsLate';

/**
 * For a POST whose handler does nothing outside its unit of work, and asks PostgreSQL something first: the Idempotency-Key is claimed
 * in the flush of its first statement, a round trip less. When the key is not free nothing of the handler has been done.
 */
export function ClaimsLate(): MethodDecorator {
  return SetMetadata(CLAIMS_LATE, true);
}

/** Whether the route is one of these. */
export function claimsLate(context: ExecutionContext): boolean {
  return Reflect.getMetadata(CLAIMS_LATE, context.getHandler()) === true;
}
