import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { SharedReads } from '../../../platform/database/shared-reads';
import { fail } from '../../../platform/errors/api-error';
import type { DealStatus } from '../crm-values';
import type { BoardStage } from '../pipelines/board';
import { conversions, percentage, type StayCount } from './conversion';
import type { ShownWindow } from '../../../platform/calendar/date-window';
import type { PipelineMetrics, StageMetrics } from './metrics-answer';

/** The deals that are in a stage now. */
type StageNow = Pick<StageMetrics, 'deal_count' | 'values' | 'average_age_seconds' | 'median_age_seconds'>;

/** Deals of the pipeline that were closed in the window and still are. */
type Closed = Pick<
  PipelineMetrics,
  'won' | 'lost' | 'won_values' | 'lost_values' | 'average_cycle_seconds' | 'median_cycle_seconds'
>;

interface Found extends Closed {
  stages: (BoardStage & { now: StageNow })[];
  counts: StayCount[];
  created: number;
  open: number;
  open_values: Record<string, number>;
}

const sums = (from: string): string =>
  `(SELECT coalesce(json_object_agg(v.currency, v.value ORDER BY v.currency), '{}'::json) FROM (SELECT d.currency, sum(d.value) AS value ${from} GROUP BY d.currency) v)`;
const deals = 'FROM deals d WHERE d.workspace_id = $1 AND d.pipeline_id = $2';
const closed = (status: DealStatus): string =>
  `${deals} AND d.status = '${status}' AND d.closed_at >= $3 AND d.closed_at < $4`;
const cycle = 'extract(epoch FROM d.won_at - d.created_at)';
const age = 'extract(epoch FROM now() - d.stage_changed_at)';

/** `percentile_cont` interpolates between the two in the middle. Stays are found by the stage they began in. */
const text = `SELECT row_to_json(m) AS found FROM (SELECT
  (SELECT coalesce(json_agg(e ORDER BY e.position, e.id), '[]'::json) FROM (
    SELECT s.id, s.pipeline_id, s.name, s.type, s.position, s.probability, s.rotten_days, (
      SELECT row_to_json(n) FROM (SELECT count(*) AS deal_count,
        round(avg(${age})) AS average_age_seconds, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ${age})) AS median_age_seconds,
        ${sums('FROM deals d WHERE d.workspace_id = $1 AND d.stage_id = s.id')} AS values
        FROM deals d WHERE d.workspace_id = $1 AND d.stage_id = s.id) n) AS now
    FROM stages s WHERE s.workspace_id = $1 AND s.pipeline_id = $2) e) AS stages,
  (SELECT coalesce(json_agg(c), '[]'::json) FROM (
    SELECT h.to_stage_id AS stage_id, CASE WHEN h.left_at < $4 THEN coalesce(h.next_stage_id, 0) END AS "to", count(*) AS stays
    FROM stages s JOIN deal_stage_changes h ON h.workspace_id = $1 AND h.to_stage_id = s.id AND h.created_at >= $3 AND h.created_at < $4
    WHERE s.workspace_id = $1 AND s.pipeline_id = $2 GROUP BY 1, 2) c) AS counts,
  (SELECT count(*) ${deals} AND d.created_at >= $3 AND d.created_at < $4) AS created,
  (SELECT count(*) ${deals} AND d.status = 'open') AS open,
  ${sums(`${deals} AND d.status = 'open'`)} AS open_values,
  (SELECT count(*) ${closed('won')}) AS won,
  (SELECT count(*) ${closed('lost')}) AS lost,
  ${sums(closed('won'))} AS won_values,
  ${sums(closed('lost'))} AS lost_values,
  (SELECT round(avg(${cycle})) ${closed('won')}) AS average_cycle_seconds,
  (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ${cycle})) ${closed('won')}) AS median_cycle_seconds
  ) m WHERE EXISTS (SELECT 1 FROM pipelines p WHERE p.workspace_id = $1 AND p.id = $2)`;

/** How deals pass through a pipeline: product reference 1.16. */
@Injectable()
export class PipelineMetricsService {
  constructor(private readonly shared: SharedReads) {}

  async of(pipelineId: number, { from, to }: ShownWindow): Promise<PipelineMetrics> {
    const [row] = await this.shared.read<{ found: Found }>({
      text,
      values: [currentWorkspaceId(), pipelineId, from, to],
      unnamed: true,
    });
    if (!row) fail('not_found', `No pipeline ${pipelineId}.`);
    const { stages, counts, created, open, open_values, ...ends } = row.found;
    return {
      pipeline_id: pipelineId,
      from,
      to,
      created,
      open,
      open_values,
      ...ends,
      win_rate_pct: percentage(ends.won, ends.won + ends.lost),
      stages: Array.from(conversions(stages, counts), ([{ id, name, type, position, now }, conversion]) => ({
        id,
        name,
        type,
        position,
        ...conversion,
        ...now,
      })),
    };
  }
}
