import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { TextMember } from '../../../platform/http/answer-members';
import { IfGiven } from '../../../platform/validation/shapes';

/** How a token is made. */
export class IssueToken {
  @ApiProperty({
    ...{ type: 'integer', required: false, default: 0, minimum: 0, maximum: 86_400 },
    description: 'So long, in seconds, the token before it stays good.',
  })
  @IfGiven()
  @IsInt()
  @Min(0)
  @Max(86_400)
  overlap_seconds?: number;
}

/** What a client of SCIM is set up with. */
export class ScimAccess {
  @TextMember({ description: 'The address that the client is given.', example: 'https://desk.example/v1/scim/v2' })
  base_url: string;

  @TextMember({ description: 'Shown this once. Good for nothing but the routes of SCIM, of this connection.' })
  token: string;
}
