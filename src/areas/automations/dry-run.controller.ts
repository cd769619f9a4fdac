import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { TestAutomation } from './dry-run.dto';
import { type DryRun, DryRunService } from './dry-run.service';

const text = { type: 'string' };
const integer = { type: 'integer' };
/** An object of which every member is always there. */
const whole = (properties: Record<string, object>): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const list = (properties: Record<string, object>): object => ({ type: 'array', items: whole(properties) });

const answer = whole({
  automation_version: integer,
  event: text,
  status: { ...text, enum: ['executed', 'conditions_not_met', 'skipped', 'failed', 'partial'] },
  reason: { ...text, nullable: true },
  conditions: list({ field: text, operator: text, expected: {}, actual: {}, result: { type: 'boolean' } }),
  actions: list({
    type: text,
    status: { ...text, enum: ['done', 'unchanged', 'queued', 'stopped', 'failed', 'skipped'] },
    before: { type: 'object', nullable: true, additionalProperties: true },
    after: { type: 'object', nullable: true, additionalProperties: true },
    error: { ...text, nullable: true },
    duration_ms: integer,
  }),
  started_at: { ...text, format: 'date-time' },
  duration_ms: integer,
});

@ApiTags('Automations')
@Controller('automations/test')
export class DryRunController {
  constructor(private readonly dryRuns: DryRunService) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Test an automation: nothing is written or sent',
    description:
      'Answers what the log of runs would say: every condition with what was expected and found, every action with before and after.',
  })
  @ApiResponse({
    status: 200,
    description: 'The run as it would be.',
    schema: whole({ data: answer }),
  })
  run(@Body() body: TestAutomation): Promise<DryRun> {
    return this.dryRuns.run(body);
  }
}
