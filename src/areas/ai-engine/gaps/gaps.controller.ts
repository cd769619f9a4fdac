import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { clockMs } from '../../../platform/context/clock';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Gaps, GapsQuery } from './gaps.dto';
import { GapsService } from './gaps.service';

@ApiTags('AI engine')
@Controller('ai-engine/gaps')
export class GapsController {
  constructor(private readonly gaps: GapsService) {}

  @Get()
  @ApiOperation({
    summary: 'List what articles are missing for',
    description:
      'Questions of customers that no source said enough about, those about the same together, what is asked most first.',
  })
  @AnswerOf(Gaps, { description: 'Questions without a good source.' })
  list(@Query() query: GapsQuery): Promise<Gaps> {
    return this.gaps.of(query, clockMs());
  }
}
