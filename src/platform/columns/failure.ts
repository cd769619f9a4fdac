import type { ApiPropertyOptions } from '@nestjs/swagger';

/** Why something went wrong, as records keep it. */
export interface Failure {
  code: string;
  message: string;
}

/** What the OpenAPI document says of it. */
export const failureSchema: ApiPropertyOptions = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
};
