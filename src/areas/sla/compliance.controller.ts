import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { momentSchema, several } from '../../platform/resource/filters';
import { COMPLIANCE_GROUPS, complianceQuery } from './compliance-query';
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
  @ApiQuery({
    name: 'from',
    required: false,
    schema: momentSchema,
    description: 'Date or timestamp; default: 30 days before `to`.',
  })
  @ApiQuery({
    name: 'to',
    required: false,
    schema: momentSchema,
    description: 'Date, which is included, or timestamp, which is not; default: now.',
  })
  @ApiQuery({
    name: 'group_by',
    required: false,
    description: 'A row for each combination of these; only the total without.',
    schema: {
      ...several({ type: 'string', enum: [...COMPLIANCE_GROUPS] }),
      maxItems: COMPLIANCE_GROUPS.length,
      uniqueItems: true,
    },
    explode: false,
  })
  @ApiOkResponse({
    description: 'The total, and a row for each group.',
    schema: { type: 'object', required: ['data'], properties: { data: answer } },
  })
  read(@Query() query: Record<string, unknown>): Promise<Compliance> {
    return this.compliance.of(complianceQuery(query, Date.now()));
  }
}
