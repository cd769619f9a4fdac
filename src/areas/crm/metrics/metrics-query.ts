import { boundedWindow, type ShownWindow } from '../../../platform/calendar/date-window';
import { WindowParameter } from '../../../platform/query/members';

/** 90 days unless asked for; longer windows are asked for in parts. */
const LENGTH = { days: 90, most: 366 };

/** Parameters of the metrics. */
export class MetricsQuery {
  @WindowParameter('to', { description: 'Date, which is included, or timestamp, which is not; default: now.' })
  to?: number;

  @WindowParameter('from', { description: 'Date or timestamp; default: 90 days before `to`.' })
  from?: number;
}

/**
 * The window of the metrics.
 *
 * @param now ms since 1970
 */
export function metricsWindow(query: MetricsQuery, now: number): ShownWindow {
  return boundedWindow(query, LENGTH, now);
}
