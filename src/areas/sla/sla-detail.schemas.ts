import { MATCHED_BY } from './policy-match';
import { METRICS } from './clock-types';

const text = { type: 'string' };
const integer = { type: 'integer' };
const moment = { type: 'string', format: 'date-time' };
const momentOrNull = { ...moment, nullable: true };
const metric = { type: 'string', enum: [...METRICS] };
const status = { type: 'string', enum: ['none', 'on_track', 'at_risk', 'breached', 'paused', 'met'] };
/** An object of which every member is always there. */
const whole = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const listOf = (items: object): object => ({ type: 'array', items });

const schedule = whole({ mode: text, timezone: { ...text, nullable: true } });

const clock = whole({
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
  pauses: listOf(
    whole({
      from: moment,
      to: momentOrNull,
      kind: { type: 'string', enum: ['hold', 'resolved'] },
      working_seconds: integer,
    }),
  ),
});

const history = listOf(
  whole({
    at: moment,
    change: text,
    metric,
    instance: integer,
    old_due_at: momentOrNull,
    new_due_at: momentOrNull,
    cause: text,
  }),
);

const data = (properties: Record<string, object>): object => whole({ data: whole(properties) });

/** OpenAPI of the answer of `GET /tickets/{id}/sla`. */
export const slaDetailSchema = data({
  policy: {
    ...whole({ id: integer, name: text, version: integer, matched_by: { type: 'string', enum: [...MATCHED_BY] } }),
    nullable: true,
  },
  schedule: { ...schedule, nullable: true },
  sla_status: status,
  next_due_at: momentOrNull,
  clocks: listOf(clock),
  history,
});

/** OpenAPI of the answer of `POST /sla/{id}/simulate`. */
export const simulationSchema = data({
  as_of: moment,
  policy: whole({ id: integer, name: text, version: integer }),
  schedule,
  sla_status: status,
  sla_due_at: momentOrNull,
  first_response_due_at: momentOrNull,
  next_response_due_at: momentOrNull,
  next_due_at: momentOrNull,
  clocks: listOf(clock),
  history,
});
