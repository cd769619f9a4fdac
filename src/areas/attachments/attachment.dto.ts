import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MomentMember, TextMember } from '../../platform/http/answer-members';
import { IfGiven } from '../../platform/validation/shapes';

const MAX_SECONDS = 90 * 86_400;

/** `POST /attachments/{id}/link` */
export class NewAttachmentLink {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: MAX_SECONDS,
    required: false,
    default: 604_800,
    description: 'How long the link opens the file; a week unless given.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(MAX_SECONDS)
  expires_in_seconds?: number;
}

/** A link to a file, for somebody without a token. */
export class AttachmentLink {
  @TextMember({
    format: 'uri',
    example: 'https://helpdesk.example.com/p/attachments/1-7-t6xe80-Zm9vYmFyYmF6cXV4cXV1eGNvcmdl',
  })
  url: string;

  @MomentMember()
  expires_at: string;
}
