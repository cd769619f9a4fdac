import { type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { declareSchemas } from '../http/declared-schemas';
import { VALUES } from './check-value';
import { MAX_CONDITIONS } from './condition';
import { operatorsTaking, SHAPES, type ValueShape } from './operators';

const ref = (name: string): { $ref: string } => ({ $ref: getSchemaPath(name) });
const members = (least: number): object => ({
  type: 'array',
  ...(least > 0 ? { minItems: least } : {}),
  maxItems: MAX_CONDITIONS,
  items: ref('ConditionNode'),
});

/** A statement of the operators that want such values. */
function statement(shape: ValueShape): object {
  return {
    type: 'object',
    required: ['field', 'operator', ...(shape === 'none' ? [] : ['value'])],
    properties: {
      field: { type: 'string', minLength: 1 },
      operator: { type: 'string', enum: operatorsTaking(shape) },
      value: VALUES[shape].schema,
    },
    additionalProperties: false,
  };
}

const group = (name: string, schema: object): object => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
  additionalProperties: false,
});

const statements = SHAPES.map((shape): [string, object] => [VALUES[shape].component, statement(shape)]);

const groups = {
  AllOfConditions: group('all', members(1)),
  AnyOfConditions: group('any', members(1)),
  NotCondition: group('not', ref('ConditionNode')),
};

declareSchemas({
  ConditionNode: {
    description: 'A statement about a field, or a group of them.',
    anyOf: [...statements.map(([name]) => name), ...Object.keys(groups)].map(ref),
  },
  ...Object.fromEntries(statements),
  ...groups,
  Conditions: {
    type: 'object',
    properties: { all: members(0), any: members(0) },
    additionalProperties: false,
  },
});

/** OpenAPI of conditions, as bodies give them. */
export const conditionsSchema: ApiPropertyOptions = {
  allOf: [ref('Conditions')],
  description:
    '`all` must hold and, where there are any, one of `any`. Members are `{field, operator, value}` or groups: `{all}`, `{any}`, `{not}`. `{}` always holds.',
  example: { all: [{ field: 'priority', operator: 'in', value: ['high', 'urgent'] }] },
};

/** How answers show them. */
export const shownConditionsSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['all', 'any'].map((name) => [name, { type: 'array', items: { type: 'object', additionalProperties: true } }]),
  ),
};
