import { getSchemaPath } from '@nestjs/swagger';
import type { ParameterSpec, RuleAction } from '../../platform/area/rules';
import { pascal } from '../../platform/openapi/naming';
import { actions, type ParameterKind, SETTABLE_FIELDS } from './action-catalogue';

const text = { type: 'string' };
const id = { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** What each kind of parameter takes; `action-parameters.ts` enforces it. */
const SCHEMAS: Readonly<Record<ParameterKind, (spec: ParameterSpec<string>) => object>> = {
  template: ({ max = 1_000 }) => ({ ...text, minLength: 1, maxLength: max, pattern: '\\S' }),
  json_template: () => ({ type: ['object', 'array', 'string'], items: {}, additionalProperties: true }),
  enum: ({ values = [] }) => ({ ...text, enum: [...values] }),
  boolean: () => ({ type: 'boolean' }),
  reference: () => id,
  references: ({ max = 100 }) => ({ type: 'array', minItems: 1, maxItems: max, items: id }),
  tags: () => ({
    anyOf: [
      { ...text, minLength: 1 },
      { type: 'array', minItems: 1, maxItems: 50, items: { ...text, maxLength: 50 } },
    ],
  }),
  ticket_field: () => ({
    anyOf: [
      { ...text, enum: [...SETTABLE_FIELDS] },
      { ...text, pattern: '^custom_fields\\..{1,64}$' },
    ],
  }),
  field_value: () => ({ type: ['string', 'number', 'boolean', 'null'] }),
  recipients: ({ max = 20 }) => ({
    anyOf: [
      { ...text, enum: ['requester', 'assignee'] },
      { ...text, format: 'email' },
      { type: 'array', minItems: 1, maxItems: max, items: { ...text, format: 'email' } },
    ],
  }),
  email_template: () => ({ ...text, minLength: 1, maxLength: 254 }),
  url: () => ({ ...text, format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', maxLength: 2_048 }),
  headers: ({ max = 20 }) => ({
    type: 'object',
    maxProperties: max,
    propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' },
    additionalProperties: { ...text, maxLength: 1_024 },
  }),
  custom_fields: () => ({ type: 'object', maxProperties: 50, additionalProperties: true }),
};

const byKind: ReadonlyMap<string, (spec: ParameterSpec<string>) => object> = new Map(Object.entries(SCHEMAS));

/** OpenAPI of an action of each type, by the name of its schema, and `Action` for any of them. */
export function actionSchemas(): Record<string, object> {
  const named = actions.map((action) => [`${pascal(action.type)}Action`, schemaOf(action)] as const);
  return {
    ...Object.fromEntries(named),
    Action: { oneOf: named.map(([name]) => ({ $ref: getSchemaPath(name) })) },
  };
}

function schemaOf({ type, label, parameters, oneOf }: RuleAction<string>): object {
  const given = Object.entries(parameters);
  const properties = given.map(([name, spec]): [string, object] => [
    name,
    { ...byKind.get(spec.kind)?.(spec), description: spec.description },
  ]);
  return {
    type: 'object',
    description: `${label}.`,
    required: ['type', ...given.filter(([, { required }]) => required).map(([name]) => name)],
    properties: {
      type: { ...text, enum: [type] },
      ...Object.fromEntries(properties),
      on_error: { ...text, enum: ['continue', 'stop'] },
    },
    ...(oneOf ? { oneOf: oneOf.map((name) => ({ required: [name], properties: { [name]: {} } })) } : {}),
    additionalProperties: false,
  };
}
