/** Messages that say "look into the outbox" or "look for due jobs"; they carry no ids. */
export const EVENTS_QUEUE = 'events';

/** Messages that carry ids of jobs. */
export const JOB_QUEUE = 'jobs';

/** The same, of jobs that deliver something to others: webhooks, messages of integrations, mail. */
export const DELIVERY_QUEUE = 'delivery';

/** Queues that jobs travel through. */
export type JobQueueName = typeof JOB_QUEUE | typeof DELIVERY_QUEUE;
