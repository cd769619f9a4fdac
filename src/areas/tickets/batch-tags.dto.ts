import { ApiProperty } from '@nestjs/swagger';
import { IsTags } from '../../platform/columns/column-validators';

/** `data` of `add_tags` and `remove_tags`. */
export class TagChange {
  @ApiProperty({ required: true, oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] })
  @IsTags()
  tags: string | string[];
}
