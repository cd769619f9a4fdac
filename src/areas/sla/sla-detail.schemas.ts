import { MATCHED_BY } from './policy-match';
import { METRICS } from './clock-types';

const text = { type: 'string' };
const integer = { type: 'integer' };
const moment = { type: 'string', format: 'date-time' };
const momentOrNull = { ...moment, nullable: true };
const metric = { type: 'string', enum: [...METRICS] };
const status = { type: 'string', enum: ['none', 'on_track', 'at_risk', 'breached', 'paused', 'met'] };
const schedule = { type: 'object', properties: { mode: text, timezone: { ...text, nullable: true } } };

const clock = {
  type: 'object',
  properties: {
    metric,
    instance: integer,
    priority_applied: text,
    target_minutes: { type: 'number' },
    started_at: moment,
    due_at: { ...momentOrNull, description: 'Null while paused.' },
    at_risk_at: momentOrNull,
    fulfilled_at: momentOrNull,
    breached_at: momentOrNull,
    outcome: { type: 'string', enum: ['active', 'paused', 'met', 'breached', 'cancelled'] },
    elapsed_working_seconds: { ...integer, nullable: true },
    remaining_working_seconds: { ...integer, nullable: true },
    overdue_seconds: integer,
    pauses: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          from: moment,
          to: momentOrNull,
          kind: { type: 'string', enum: ['hold', 'resolved'] },
          working_seconds: integer,
        },
      },
    },
  },
};
const history = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      at: moment,
      change: text,
      metric,
      instance: integer,
      old_due_at: momentOrNull,
      new_due_at: momentOrNull,
      cause: text,
    },
  },
};

const data = (properties: Record<string, object>): object => ({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'object', required: Object.keys(properties), properties } },
});

/** OpenAPI of the answer of `GET /tickets/{id}/sla`. */
export const slaDetailSchema = data({
  policy: {
    type: 'object',
    nullable: true,
    properties: { id: integer, name: text, version: integer, matched_by: { type: 'string', enum: [...MATCHED_BY] } },
  },
  schedule: { ...schedule, nullable: true },
  sla_status: status,
  next_due_at: momentOrNull,
  clocks: { type: 'array', items: clock },
  history,
});

/** OpenAPI of the answer of `POST /sla/{id}/simulate`. */
export const simulationSchema = data({
  as_of: moment,
  policy: { type: 'object', properties: { id: integer, name: text, version: integer } },
  schedule,
  sla_status: status,
  sla_due_at: momentOrNull,
  first_response_due_at: momentOrNull,
  next_response_due_at: momentOrNull,
  next_due_at: momentOrNull,
  clocks: { type: 'array', items: clock },
  history,
});
