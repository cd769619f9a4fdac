/** Kind of the job that does a run; its subject is the run. */
export const RUN_JOB = 'directory_run';
/** Does what was planned. */
export const CHANGES_JOB = 'directory_changes';
