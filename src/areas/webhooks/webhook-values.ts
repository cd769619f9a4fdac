/** States of an endpoint: `paused` by its owner, `deactivated` because deliveries failed. */
export const WEBHOOK_STATUSES = ['active', 'paused', 'deactivated'] as const;

/** States of a delivery. `delivering` is not stored: it is what a pending or retrying one is called during an attempt. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'retrying', 'failed', 'cancelled'] as const;

/** Each active endpoint multiplies the jobs of every event. */
export const MAX_ACTIVE_WEBHOOKS = 50;
export const MAX_WEBHOOKS = 500;

/** Kinds of jobs; the group is the endpoint. */
export const DELIVERY_JOB = 'webhook_delivery';
export const REDELIVERY_JOB = 'webhook_redelivery';
export const CLEANUP_JOB = 'webhook_cleanup';
