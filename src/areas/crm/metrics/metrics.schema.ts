import { DEAL_STATUSES } from '../crm-values';

const id = { type: 'integer', format: 'int64' };
const integer = { type: 'integer' };
const moment = { type: 'string', format: 'date-time' };
const text = { type: 'string' };
const seconds = { type: 'integer', nullable: true, description: 'Seconds; null when there is no such deal.' };
const values = {
  type: 'object',
  additionalProperties: { type: 'number' },
  description: 'Value of the deals by currency.',
  example: { EUR: 12_000 },
};
const percentage = (of: string): object => ({ type: 'number', nullable: true, description: `${of}, to two places.` });

const stage = {
  id,
  name: text,
  type: { type: 'string', enum: [...DEAL_STATUSES] },
  position: integer,
  entered: { ...integer, description: 'Stays that began in the window.' },
  moved_on: { ...integer, description: 'Of those, to an open stage further on, or won.' },
  moved_back: { ...integer, description: 'Of those, to an open stage before this one.' },
  lost: { ...integer, description: 'Of those, lost.' },
  left: { ...integer, description: 'Of those, to another pipeline, a stage that is gone, or opened again.' },
  still_there: { ...integer, description: 'Of those, not ended by the end of the window.' },
  conversion_pct: percentage('moved_on / entered; null when nothing entered'),
  deal_count: { ...integer, description: 'Deals in the stage now.' },
  values,
  average_age_seconds: seconds,
  median_age_seconds: seconds,
};

const metrics = {
  pipeline_id: id,
  from: moment,
  to: moment,
  created: { ...integer, description: 'Deals of the pipeline that were created in the window.' },
  open: { ...integer, description: 'Deals that are open now.' },
  open_values: values,
  won: integer,
  lost: integer,
  won_values: values,
  lost_values: values,
  average_cycle_seconds: seconds,
  median_cycle_seconds: seconds,
  win_rate_pct: percentage('won / (won + lost); null when none was closed'),
  stages: { type: 'array', items: { type: 'object', required: Object.keys(stage), properties: stage } },
};

/** Answer of `GET /crm/pipelines/{id}/metrics`. */
export const metricsSchema = {
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'object', required: Object.keys(metrics), properties: metrics } },
};
