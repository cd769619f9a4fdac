/*
 * For producers that make many jobs in a statement of their own. The table has kept its first name, `work`, and its column
 * for the group `lane`, as nodes of the release before know them by these (decision 244).
 */

/** The table of jobs: `workspace_id`, `kind`, `subject_id`, `state`. */
export const JOBS = 'work';

/** Goes on with SELECT or VALUES: workspace, kind, subject, group. Wake the queue after the commit. */
export const INSERT_JOBS = `INSERT INTO ${JOBS} (workspace_id, kind, subject_id, lane)`;

/** The same, and when each is due. */
export const INSERT_JOBS_DUE = `INSERT INTO ${JOBS} (workspace_id, kind, subject_id, lane, due_at)`;
