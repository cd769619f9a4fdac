import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { IntegerMember, TextMember } from '../../../platform/http/answer-members';

/** `POST /workspace/logo` */
export class NewLogo {
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: true,
    description: 'A picture that was uploaded to `/attachments`: PNG, JPEG, GIF, WebP or AVIF of at most 5 MB.',
    example: 1,
  })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  attachment_id: number;
}

/** What a workspace tells of its logo. */
export class WorkspaceLogo {
  @IntegerMember({ minimum: 1, description: 'Pixels; at most 480.', example: 400 })
  width: number;

  @IntegerMember({ minimum: 1, description: 'Pixels; at most 160.', example: 120 })
  height: number;

  @IntegerMember({ minimum: 1, description: 'Bytes of the PNG that `/workspace/logo` answers.', example: 8_211 })
  size: number;

  @TextMember({
    description: 'Of those bytes.',
    example: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
  })
  sha256: string;
}
