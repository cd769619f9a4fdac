import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { current, currentAccess } from '../../platform/context/current';
import { Identity, identityOf } from './identity';
import { AnswerOf } from '../../platform/http/answer-members';

@ApiTags('Meta')
@Controller('me')
export class MeController {
  @Get()
  @ApiOperation({
    summary: 'Identity, plan and usage of the token',
    description: 'Whose token it is, what it may do, and what of its limits is used.',
  })
  @AnswerOf(Identity, { description: 'Identity of the token.' })
  read(): Identity {
    return identityOf(currentAccess(), current().quotaUsed ?? 0, new Date());
  }
}
