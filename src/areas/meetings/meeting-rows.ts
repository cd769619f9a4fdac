import type { Alongside } from '../../platform/resource/write-plan';
import { INSERT_JOBS_DUE, JOBS } from '../../platform/queue/job-table';

/** Kind of the job that reminds of a meeting; its subject is a row of `meeting_reminders`. */
export const REMINDER_JOB = 'meeting_reminder';

const HOLDS = `t.status IN ('pending', 'scheduled')`;
const COUNTS = `t.status NOT IN ('cancelled', 'rejected')`;
const FROM = `t.starts_at - make_interval(mins => t.buffer_before_minutes)`;
const UNTIL = `t.ends_at + make_interval(mins => t.buffer_after_minutes)`;

const enterHosts = (whose: string): string => `
  INSERT INTO meeting_hosts (workspace_id, meeting_id, host_id, type_id, starts_at, blocked_from, blocked_until, holds, counts, forced)
  SELECT t.workspace_id, t.id, h.id, t.type_id, t.starts_at, ${FROM}, ${UNTIL}, ${HOLDS}, ${COUNTS}, t.forced
  FROM t CROSS JOIN LATERAL unnest(t.host_ids) AS h (id) ${whose}`;

/** Reminders are given of what is sure to take place, as long as they are ahead. */
const enterReminders = `
  reminder AS (
    INSERT INTO meeting_reminders (workspace_id, meeting_id, minutes, due_at)
    SELECT t.workspace_id, t.id, m.minutes, t.starts_at - make_interval(mins => m.minutes)
    FROM t CROSS JOIN LATERAL (SELECT value::text::integer AS minutes FROM jsonb_array_elements(t.reminders)) m
    WHERE t.status = 'scheduled' AND t.starts_at - make_interval(mins => m.minutes) > now()
    RETURNING workspace_id, id, due_at
  ), reminder_job AS (
    ${INSERT_JOBS_DUE}
    SELECT workspace_id, '${REMINDER_JOB}', id, 0, due_at FROM reminder
  )`;

/** Rows that come with a new meeting: whose time it takes, and its reminders. In the statement of the meeting. */
export const rowsOfNewMeeting: Alongside = () => `host AS (${enterHosts('')}), ${enterReminders}`;

/**
 * The same for a meeting whose time, hosts, status or reminders change.
 *
 * @param former hosts until now
 */
export function rowsOfChangedMeeting(former: readonly number[]): Alongside {
  return (bind) => `
    host_gone AS (
      DELETE FROM meeting_hosts h USING t
      WHERE h.workspace_id = t.workspace_id AND h.meeting_id = t.id AND NOT h.host_id = ANY(t.host_ids)
    ), host_moved AS (
      UPDATE meeting_hosts h SET starts_at = t.starts_at, blocked_from = ${FROM}, blocked_until = ${UNTIL},
        holds = ${HOLDS}, counts = ${COUNTS}, forced = t.forced
      FROM t WHERE h.workspace_id = t.workspace_id AND h.meeting_id = t.id AND h.host_id = ANY(t.host_ids)
    ), host_new AS (${enterHosts(`WHERE NOT h.id = ANY(${bind(former)}::bigint[])`)}),
    reminder_gone AS (
      DELETE FROM meeting_reminders r USING t
      WHERE r.workspace_id = t.workspace_id AND r.meeting_id = t.id AND r.done_at IS NULL
      RETURNING r.workspace_id, r.id
    ), reminder_job_gone AS (
      DELETE FROM ${JOBS} w USING reminder_gone r
      WHERE w.workspace_id = r.workspace_id AND w.kind = '${REMINDER_JOB}' AND w.subject_id = r.id
        AND w.state IN ('scheduled', 'waiting')
    ), ${enterReminders}`;
}
