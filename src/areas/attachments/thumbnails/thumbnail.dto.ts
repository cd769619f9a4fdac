import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IfGiven } from '../../../platform/validation/shapes';
import { type Side, SIDES } from './thumbnails';

const NAMES = Object.keys(SIDES);
const told = Object.entries(SIDES).map(([name, side]) => `\`${name}\` ${side}`);

/** `GET /attachments/{id}/thumbnail` */
export class ThumbnailQuery {
  @ApiProperty({
    enum: NAMES,
    required: false,
    default: 'medium',
    description: `Longest side: ${told.join(', ')} pixels.`,
  })
  @IfGiven()
  @IsIn(NAMES)
  size?: Side;
}
