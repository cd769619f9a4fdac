import { getSchemaPath } from '@nestjs/swagger';
import { argumentsOf } from '../../platform/area/argument';
import { ON_ERROR, type RuleAction } from '../../platform/area/rules';
import { pascal } from '../../platform/openapi/naming';
import { actions } from './action-catalogue';

/** OpenAPI of an action of each type, by the name of its schema, and `Action` for any of them: what their classes say. */
export function actionSchemas(): Record<string, object> {
  const named = actions.map((action) => [`${pascal(action.type)}Action`, schemaOf(action)] as const);
  return {
    ...Object.fromEntries(named),
    Action: { oneOf: named.map(([name]) => ({ $ref: getSchemaPath(name) })) },
  };
}

function schemaOf({ type, label, parameters, oneOf }: RuleAction): object {
  const given = [...argumentsOf(parameters)];
  return {
    type: 'object',
    description: `${label}.`,
    required: ['type', ...given.filter(([, { spec }]) => spec.required).map(([name]) => name)],
    properties: {
      type: { type: 'string', enum: [type] },
      ...Object.fromEntries(given.map(([name, { api, spec }]) => [name, { ...api, description: spec.description }])),
      on_error: { type: 'string', enum: [...ON_ERROR] },
    },
    ...(oneOf ? { oneOf: oneOf.map((name) => ({ required: [name], properties: { [name]: {} } })) } : {}),
    additionalProperties: false,
  };
}
