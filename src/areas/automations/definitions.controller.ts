import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../platform/http/answer-members';
import { AutomationDefinitions } from './definitions.dto';
import { RuleCheck } from './rule-check';

@ApiTags('Automations')
@Controller('automations/definitions')
export class DefinitionsController {
  constructor(private readonly rules: RuleCheck) {}

  @Get()
  @ApiOperation({
    summary: 'Describe what automations can be made of',
    description: 'Events, fields with their operators and values, actions with their parameters, template variables.',
  })
  @AnswerOf(AutomationDefinitions, { description: 'Everything that an automation may name in this installation.' })
  read(): Promise<AutomationDefinitions> {
    return this.rules.definitions();
  }
}
