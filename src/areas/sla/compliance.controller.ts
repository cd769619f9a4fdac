import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ComplianceQuery, complianceScope } from './compliance-query';
import { ComplianceService } from './compliance.service';
import { Compliance } from './compliance-answer';
import { clockMs } from '../../platform/context/clock';
import { AnswerOf } from '../../platform/http/answer-members';

@ApiTags('SLA')
@Controller('sla/compliance')
export class ComplianceController {
  constructor(private readonly compliance: ComplianceService) {}

  @Get()
  @ApiOperation({
    summary: 'How many promises were kept',
    description:
      'Counts the clocks that were decided in the window, by an answer or by a breach, whichever was first: running, paused and cancelled ones do not count. Teams and agents are those of the moment of the decision.',
  })
  @AnswerOf(Compliance, { description: 'The total, and a row for each group.' })
  read(@Query() query: ComplianceQuery): Promise<Compliance> {
    return this.compliance.of(complianceScope(query, clockMs()));
  }
}
