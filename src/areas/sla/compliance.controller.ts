import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { COMPLIANCE_GROUPS, ComplianceQuery, complianceScope } from './compliance-query';
import { METRICS } from './clock-types';
import { type Compliance, ComplianceService } from './compliance.service';

const integer = { type: 'integer' };
const nullableInteger = { type: 'integer', nullable: true };
const moment = { type: 'string', format: 'date-time' };
const outcomes = {
  met: integer,
  breached: integer,
  compliance_pct: {
    type: 'number',
    nullable: true,
    description: 'met / (met + breached); null when none was decided.',
  },
};
const counted = ['met', 'breached', 'compliance_pct'];

const answer = {
  type: 'object',
  required: ['from', 'to', 'group_by', 'total', 'groups', 'truncated'],
  properties: {
    from: moment,
    to: moment,
    group_by: { type: 'array', items: { type: 'string', enum: [...COMPLIANCE_GROUPS] } },
    total: { type: 'object', required: counted, properties: outcomes },
    groups: {
      type: 'array',
      items: {
        type: 'object',
        required: counted,
        properties: {
          metric: { type: 'string', enum: [...METRICS] },
          priority: { type: 'string' },
          team_id: nullableInteger,
          agent_id: nullableInteger,
          ...outcomes,
        },
      },
    },
    truncated: { type: 'boolean', description: 'There are more groups; the total counts them.' },
  },
};

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
  @ApiOkResponse({
    description: 'The total, and a row for each group.',
    schema: { type: 'object', required: ['data'], properties: { data: answer } },
  })
  read(@Query() query: ComplianceQuery): Promise<Compliance> {
    return this.compliance.of(complianceScope(query, Date.now()));
  }
}
