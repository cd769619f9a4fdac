import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { current, currentAccess } from '../../platform/context/current';
import { identityOf, type Identity } from './identity';
import { identitySchema } from './meta.schemas';

@ApiTags('Meta')
@Controller('me')
export class MeController {
  @Get()
  @ApiOperation({
    summary: 'Identity, plan and usage of the token',
    description: 'Whose token it is, what it may do, and what of its limits is used.',
  })
  @ApiOkResponse({ description: 'Identity of the token.', schema: identitySchema })
  read(): Identity {
    return identityOf(currentAccess(), current().quotaUsed ?? 0, new Date());
  }
}
