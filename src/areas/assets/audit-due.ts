import { DateTime } from 'luxon';
import { clockNow } from '../../platform/context/clock';
import { current } from '../../platform/context/current';
import { conditionFilter, type FilterSpec } from '../../platform/query/filters';

/** The day it is in the workspace, `YYYY-MM-DD`. */
export function today(now: Date = clockNow()): string {
  const zone = current().principal?.workspace?.timezone ?? 'UTC';
  const day = DateTime.fromJSDate(now, { zone });
  return (day.isValid ? day : DateTime.fromJSDate(now, { zone: 'utc' })).toFormat('yyyy-MM-dd');
}

const yesOrNo = conditionFilter('', () => '');

/** `audit_due`: what should have been seen by today and is still in service. */
export const auditDueFilter: FilterSpec<{ due: boolean; day: string }> = {
  schema: yesOrNo.schema,
  description:
    '`true`: `next_audit_at` has come, and the asset is not retired, lost or disposed of; `false`: all others.',
  parse: (raw, name) => ({ due: yesOrNo.parse(raw, name), day: today() }),
  sql: (alias, { due, day }, bind) => {
    const condition = `(${alias}.next_audit_at <= ${bind(day)}::date AND ${alias}.in_service)`;
    return due ? condition : `${condition} IS NOT TRUE`;
  },
};
