import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { FlagMember, TextMember } from '../../../platform/http/answer-members';
import { NumberParameter } from '../../../platform/query/members';
import { IfGiven } from '../../../platform/validation/shapes';

/** Most characters of what a visitor says at once. */
export const MAX_SAID = 10_000;
const MAX_FILES = 5;

/** `POST /chat/{token}/sessions` */
export class StartSession {
  @ApiProperty({ type: 'string', maxLength: 120, required: false })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(120)
  name?: string;

  @ApiProperty({ type: 'string', format: 'email', maxLength: 254, required: false })
  @IfGiven()
  @IsString()
  @MaxLength(254)
  @IsEmail()
  email?: string;

  @ApiProperty({
    type: 'string',
    maxLength: 4_096,
    required: false,
    description: 'What the server of the site says of its visitor.',
  })
  @IfGiven()
  @IsString()
  @MaxLength(4_096)
  identity?: string;

  @ApiProperty({
    type: 'string',
    maxLength: 2_048,
    required: false,
    description: 'The one that there was; it goes on.',
  })
  @IfGiven()
  @IsString()
  @MaxLength(2_048)
  session?: string;
}

/** `POST /chat/{token}/messages` */
export class SaySomething {
  @ApiProperty({ type: 'string', description: 'Made up by the client: told again, it changes nothing.' })
  @IsString()
  @Matches(/^[\w-]{8,64}$/)
  client_id: string;

  @ApiProperty({ type: 'string', maxLength: MAX_SAID })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_SAID)
  body?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    required: false,
    description: 'Files, as their upload named them.',
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(MAX_FILES)
  @ArrayUnique()
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  files?: string[];

  @ApiProperty({ type: 'boolean', required: false, description: 'It asks for a person, whatever its words are.' })
  @IfGiven()
  @IsBoolean()
  asks_for_person?: boolean;

  @ApiProperty({ type: 'string', maxLength: 500, required: false, description: 'The page that it was said on.' })
  @IfGiven()
  @IsString()
  @MaxLength(500)
  page?: string;
}

/** `POST /chat/{token}/read` */
export class HaveRead {
  @ApiProperty({ type: 'integer', description: 'Position of the last message that was seen.' })
  @IsInt()
  @Min(1)
  @Max(2_147_483_647)
  position: number;
}

/** `GET /chat/{token}/messages` */
export class HistoryQuery {
  @NumberParameter({ min: 1, max: 2_147_483_647, description: 'Messages before this position.' })
  before?: number;

  @NumberParameter({ min: 0, max: 2_147_483_647, description: 'Messages behind this position.' })
  after?: number;
}

/** `GET /teams/channels/{id}/widget` */
export class WidgetAnswer {
  @TextMember({ description: 'What the channel is called in `data-channel`. It opens nothing but the chat.' })
  channel: string;

  @TextMember({ format: 'uri', description: 'Address of the script.' })
  script_url: string;

  @TextMember({ description: 'The line for the pages of the site.' })
  embed: string;

  @FlagMember({ description: 'Whether visitors of the site can be identified.' })
  identity_secret_set: boolean;
}
