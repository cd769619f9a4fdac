import type { Type } from '@nestjs/common';
import { ValidationPipe } from '../../src/platform/http/validation-pipe';

const pipe = new ValidationPipe(() => new Set());

/** Query parameters as a controller gets them, or the 422. */
export function readQuery<T extends object>(queryClass: Type<T>, query: object): T {
  return pipe.transform(query, { type: 'query', metatype: queryClass }) as T;
}
