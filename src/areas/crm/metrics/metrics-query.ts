import { windowEdge } from '../../../platform/calendar/date-window';
import { FIRST_MOMENT } from '../../../platform/calendar/iso-time';
import { invalid } from '../../../platform/http/errors';

/** The window of the metrics: `[from, to)`, ISO 8601. */
export interface MetricsWindow {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
/** Longer windows are asked for in parts. */
const MAX_DAYS = 366;

/**
 * Reads `?from&to`; refuses (422) what it cannot read. Dates are days of UTC, both included; a moment as `to` is excluded. Without `to` the window ends
 * now; without `from` it is 90 days long.
 *
 * @param now ms since 1970
 */
export function metricsWindow(query: Readonly<Record<string, unknown>>, now: number): MetricsWindow {
  const to = windowEdge('to', query.to) ?? now;
  const from = windowEdge('from', query.from) ?? Math.max(FIRST_MOMENT, to - DEFAULT_DAYS * DAY_MS);
  if (from >= to) invalid('from', 'order', 'from must be before to');
  if (to - from > MAX_DAYS * DAY_MS) invalid('from', 'max', `from must be at most ${MAX_DAYS} days before to`);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
