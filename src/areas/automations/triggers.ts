import { ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { CronExpressionParser } from 'cron-parser';
import { checkedBy } from '../../platform/area/argument';
import { isTimeZoneName } from '../../platform/columns/column-validators';
import { isRecord } from '../../platform/text/json';
import { objectOf, type Shape, Shaped } from '../../platform/validation/shapes';
import { SCHEDULE } from './rule-fields';

const MAX_FILTERS = 20;
const MIN_CRON = 9;
const MAX_CRON = 120;

const EVENT_NAME = checkedBy({ type: 'string', minLength: 1 }, (value) =>
  typeof value === 'string' ? null : { code: 'enum', problem: 'must be the name of an event' },
);

const FILTERS = checkedBy({ type: 'object', additionalProperties: true, maxProperties: MAX_FILTERS }, (value) =>
  isRecord(value) && Object.keys(value).length <= MAX_FILTERS
    ? null
    : { code: 'type', problem: `must be an object of at most ${MAX_FILTERS} fields and their values` },
);

const CRON = checkedBy({ type: 'string', minLength: MIN_CRON, maxLength: MAX_CRON }, (value) =>
  isCron(value)
    ? null
    : { code: 'format', problem: 'must be a cron expression of five fields that comes round, e.g. 0 9 * * 1-5' },
);

const TIME_ZONE = checkedBy({ type: 'string' }, (value) =>
  typeof value === 'string' && isTimeZoneName(value)
    ? null
    : { code: 'format', problem: 'must be an IANA time zone, e.g. Europe/Rome' },
);

const QUERY = checkedBy({ type: 'object', additionalProperties: true }, (value) =>
  isRecord(value) ? null : { code: 'type', problem: 'must be an object with filters of GET /tickets' },
);

@ApiSchema({ description: 'Starts when such an event happens to a record of which `filters` hold.' })
class EventTrigger {
  @Shaped(EVENT_NAME, { example: 'ticket.created' })
  event: string;

  @Shaped(FILTERS, { optional: true, description: 'Field to the value (or list of values) that it must have.' })
  filters?: Record<string, unknown>;
}

@ApiSchema({ description: 'Starts at these times for every ticket that `query` finds.' })
class ScheduleTrigger {
  @ApiProperty({ type: 'string', required: true })
  @IsIn([SCHEDULE])
  event: typeof SCHEDULE;

  @Shaped(CRON, { description: 'Five fields.', example: '0 9 * * 1-5' })
  cron: string;

  @Shaped(TIME_ZONE, {
    optional: true,
    description: 'IANA name; that of the workspace unless given.',
    example: 'Europe/Rome',
  })
  timezone?: string;

  @Shaped(QUERY, { optional: true, description: 'Filters of `GET /tickets`.' })
  query?: Record<string, unknown>;
}

/** The form of each kind of trigger, on its own: whether what it names exists is looked at by `readTrigger`. */
export const TRIGGERS = { event: objectOf(EventTrigger), schedule: objectOf(ScheduleTrigger) };

const either = [ScheduleTrigger, EventTrigger].map((type) => ({ $ref: getSchemaPath(type) }));

/** A trigger in a body: the name of an event, or an object. */
export const TRIGGER: Shape = checkedBy({ anyOf: [{ type: 'string', minLength: 1 }, ...either] }, (value) =>
  (typeof value === 'string' && value !== '') || isRecord(value)
    ? null
    : { code: 'type', problem: 'must be the name of an event, or an object with "event"' },
);

/** How answers show it. */
export const SHOWN_TRIGGER = { anyOf: either };

/** Of cron-parser's extras (seconds, names such as @daily, hashes) none is promised. */
function isCron(input: unknown): boolean {
  if (typeof input !== 'string' || input.length > MAX_CRON) return false;
  if (!/^[\d*,/A-Za-z?#-]+( +[\d*,/A-Za-z?#-]+){4}$/.test(input.trim()) || /h/i.test(input.replace(/thu|mar/gi, '')))
    return false;
  try {
    CronExpressionParser.parse(input.trim(), { tz: 'UTC' }).next();
    return true;
  } catch {
    return false;
  }
}
