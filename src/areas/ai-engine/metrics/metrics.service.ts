import { Injectable } from '@nestjs/common';
import { boundedWindow } from '../../../platform/calendar/date-window';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { FIRST_MOMENT } from '../../../platform/time/iso-time';
import { countsOf, factsOf } from './conversation-facts';
import { conversationMetrics, deltaOf, ratesOf } from './conversation-metrics';
import type { AiMetrics, AiMetricsQuery } from './metrics.dto';
import { type Tally, taskMetrics } from './task-metrics';

const LENGTH = { days: 30, most: 366 };

/** What is told apart: nearly each ticket has other tags, and takes another time. */
const said = (column: string): string =>
  `CASE WHEN p.task NOT IN ('tags', 'duplicate', 'resolution_time') THEN ${column} END`;

const tallies = (): string => `
  SELECT p.task, p.status, ${said('p.value')} AS value, ${said('p.actual_value')} AS actual_value, p.was_correct, least(9, floor(p.confidence * 10))::integer AS bin,
    count(*)::integer AS n, coalesce(sum(p.confidence), 0)::float AS confidence
  FROM ai_predictions p
  WHERE p.workspace_id = $1 AND p.created_at >= $2 AND p.created_at < $3 AND p.status <> 'expired'${andSeen('ai_predictions', 'p')}
  GROUP BY 1, 2, 3, 4, 5, 6`;

/** How good predictions were, by what became of them. */
@Injectable()
export class MetricsService {
  constructor(private readonly database: Database) {}

  /** @param now ms since 1970 */
  async of({ from: asked, to: until, task, channel }: AiMetricsQuery, now: number): Promise<AiMetrics> {
    const window = { ...(asked === undefined ? {} : { from: asked }), ...(until === undefined ? {} : { to: until }) };
    const { from, to } = boundedWindow(window, LENGTH, now);
    const rows = await this.database.read(filled(sql<Tally>(tallies(), [currentWorkspaceId(), from, to])));
    const before = new Date(Math.max(FIRST_MOMENT, 2 * Date.parse(from) - Date.parse(to))).toISOString();
    const found = await factsOf(this.database, { from, to, channel: channel ?? null });
    const former = ratesOf(await countsOf(this.database, { from: before, to: from, channel: channel ?? null }));
    return {
      ...{ from, to, tasks: taskMetrics(rows, task ?? null) },
      conversations: conversationMetrics(found),
      previous: { from: before, to: from, rates: former },
      delta: deltaOf(ratesOf(found), former),
    };
  }
}
