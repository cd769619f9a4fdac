import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, Max, Min } from 'class-validator';
import { IfGiven } from '../../../platform/validation/shapes';

/** Files that one request may attach. */
const MAX_IDS = 20;

/** The member of a body by which a record takes files: `@AttachmentIds() attachment_ids?: readonly number[]`. */
export function AttachmentIds(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'integer', format: 'int64', minimum: 1 },
      maxItems: MAX_IDS,
      uniqueItems: true,
      required: false,
      description:
        'Files from `POST /attachments` that belong to no record yet; they are added to those that are there.',
    }),
    IfGiven(),
    IsArray(),
    ArrayMaxSize(MAX_IDS),
    ArrayUnique(),
    IsInt({ each: true }),
    Min(1, { each: true }),
    Max(Number.MAX_SAFE_INTEGER, { each: true }),
  );
}
