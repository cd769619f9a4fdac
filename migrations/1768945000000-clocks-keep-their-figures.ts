import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * An answered clock keeps how much working time had passed: the schedule by which that was counted may change, or go. Filled for what was
 * measured around the clock; other figures are counted by the present schedule, as before.
 */
export class ClocksKeepTheirFigures1768945000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sla_clocks ADD COLUMN figures jsonb`);
    // Only the system role sees every workspace; the tables' owner is confined, too.
    await runner.query(`SET LOCAL ROLE ${SYSTEM_ROLE}`);
    await runner.query(aroundTheClock);
    await runner.query(`RESET ROLE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sla_clocks DROP COLUMN figures`);
  }
}

/** Seconds from one moment to another; none when it comes after. */
const seconds = (from: string, to: string): string => `greatest(0, extract(epoch FROM ${to} - ${from}))`;

/** Seconds of the clock `k` from a moment to its answer, pauses left out. */
const counted = (from: string): string =>
  `${seconds(from, 'k.fulfilled_at')} - coalesce((SELECT sum(${seconds(`greatest(p.began, ${from})`, 'p.ended')}) FROM ${pauses}), 0)`;

/** The pauses of the clock `k`, the last of them until its answer. */
const pauses = `(
  SELECT (x.pause ->> 'from')::timestamptz AS began, least((x.pause ->> 'to')::timestamptz, k.fulfilled_at) AS ended, x.place
  FROM jsonb_array_elements(k.pauses) WITH ORDINALITY AS x (pause, place)) p`;

const aroundTheClock = `
  UPDATE sla_clocks c SET figures = jsonb_build_object(
    'elapsed', floor(f.elapsed), 'remaining', greatest(0, ceil(f.target_seconds - f.elapsed)), 'overdue', greatest(0, floor(f.overdue)), 'pauses', f.lengths)
  FROM (
    SELECT k.workspace_id, k.ticket_id, k.metric, k.instance_no, k.target_seconds, greatest(0, ${counted('k.started_at')}) AS elapsed,
      CASE WHEN k.outcome = 'breached' AND k.due_at IS NOT NULL THEN ${counted('k.due_at')} ELSE 0 END AS overdue,
      coalesce((SELECT jsonb_agg(round(${seconds('p.began', 'p.ended')}) ORDER BY p.place) FROM ${pauses}), '[]') AS lengths
    FROM sla_clocks k JOIN tickets t ON t.workspace_id = k.workspace_id AND t.id = k.ticket_id
    LEFT JOIN sla_policies s ON s.workspace_id = t.workspace_id AND s.id = t.sla_policy_id
    WHERE k.fulfilled_at IS NOT NULL AND k.outcome IN ('met', 'breached') AND coalesce(s.schedule ->> 'mode', '24x7') = '24x7'
  ) f
  WHERE c.workspace_id = f.workspace_id AND c.ticket_id = f.ticket_id AND c.metric = f.metric AND c.instance_no = f.instance_no;
`;
