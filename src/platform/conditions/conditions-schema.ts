import { type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { declareSchemas } from '../http/declared-schemas';
import { MAX_CONDITIONS, MAX_TEXT_VALUE, MAX_VALUES } from './condition';
import { OPERATORS, type ValueShape } from './operators';

const ref = (name: string): { $ref: string } => ({ $ref: getSchemaPath(name) });
const members = (least: number): object => ({
  type: 'array',
  ...(least > 0 ? { minItems: least } : {}),
  maxItems: MAX_CONDITIONS,
  items: ref('ConditionNode'),
});

/** A statement of the operators that want such values. */
function statement(shapes: readonly ValueShape[], value: object, valued = true): object {
  const operators = Object.keys(OPERATORS).filter((name) => shapes.includes(OPERATORS[name]?.value ?? 'none'));
  return {
    type: 'object',
    required: ['field', 'operator', ...(valued ? ['value'] : [])],
    properties: {
      field: { type: 'string', minLength: 1 },
      operator: { type: 'string', enum: operators },
      value,
    },
    additionalProperties: false,
  };
}

const SCALARS = ['string', 'number', 'boolean'];

/** One value; fields that hold several take a list as well. */
function one(nullable: boolean): object {
  return {
    type: [...SCALARS, 'array', ...(nullable ? ['null'] : [])],
    maxLength: MAX_TEXT_VALUE,
    maxItems: MAX_VALUES,
    items: { type: SCALARS },
  };
}

const list = (minItems: number, maxItems: number): object => ({
  type: 'array',
  minItems,
  maxItems,
  items: { type: SCALARS },
});

const group = (name: string, schema: object): object => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
  additionalProperties: false,
});

declareSchemas({
  ConditionNode: {
    description: 'A statement about a field, or a group of them.',
    anyOf: [
      ...['UnaryCondition', 'ValueCondition', 'ListCondition', 'RangeCondition', 'TextCondition'].map(ref),
      ...['ChangeCondition', 'TransitionCondition', 'AllOfConditions', 'AnyOfConditions', 'NotCondition'].map(ref),
    ],
  },
  UnaryCondition: statement(['none'], { type: 'null' }, false),
  ValueCondition: statement(['one'], one(false)),
  ListCondition: statement(['many'], list(1, MAX_VALUES)),
  RangeCondition: statement(['range'], list(2, 2)),
  TextCondition: statement(['text', 'pattern'], { type: 'string', minLength: 1, maxLength: MAX_TEXT_VALUE }),
  ChangeCondition: statement(['one_or_null'], one(true)),
  TransitionCondition: statement(['transition'], {
    type: 'object',
    required: ['from', 'to'],
    properties: { from: one(true), to: one(true) },
    additionalProperties: false,
  }),
  AllOfConditions: group('all', members(1)),
  AnyOfConditions: group('any', members(1)),
  NotCondition: group('not', ref('ConditionNode')),
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
