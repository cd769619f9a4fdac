/** Jobs that say "look into the outbox" or "look for due work"; they carry no ids. */
export const EVENTS_QUEUE = 'events';

/** Jobs that carry the ids of one item of work. */
export const WORK_QUEUE = 'work';
