import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Definitions, definitions } from './definitions';
import { RuleCheck } from './rule-check';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const list = (properties: Record<string, object>, more: Record<string, object> = {}): object => ({
  type: 'array',
  items: { type: 'object', required: Object.keys(properties), properties: { ...properties, ...more } },
});

const answer = {
  type: 'object',
  required: ['events', 'fields', 'operators', 'actions', 'template_variables', 'settable_fields', 'limits'],
  properties: {
    events: list({ event: text, object: text, description: text, aliases: texts }),
    fields: list({ field: text, object: text, type: text, operators: texts }, { values: texts, references: text }),
    operators: list({ operator: text, value: text, types: texts }),
    actions: list(
      { type: text, label: text, kind: text, objects: texts, parameters: { type: 'array', items: { type: 'object' } } },
      { one_of: texts },
    ),
    template_variables: list({ variable: text, object: text }),
    settable_fields: texts,
    limits: { type: 'object', additionalProperties: { type: 'integer' } },
  },
};

@ApiTags('Automations')
@Controller('automations/definitions')
export class DefinitionsController {
  constructor(private readonly rules: RuleCheck) {}

  @Get()
  @ApiOperation({
    summary: 'Describe what automations can be made of',
    description: 'Events, fields with their operators and values, actions with their parameters, template variables.',
  })
  @ApiOkResponse({
    description: 'Everything that an automation may name in this installation.',
    schema: { type: 'object', required: ['data'], properties: { data: answer } },
  })
  read(): Definitions {
    return definitions((object) => this.rules.availableTypes(object));
  }
}
