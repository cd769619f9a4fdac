/** Messages that say "look into the outbox" or "look for due jobs"; they carry no ids. */
export const EVENTS_QUEUE = 'events';

/** Messages that carry ids of jobs. */
export const JOB_QUEUE = 'jobs';
