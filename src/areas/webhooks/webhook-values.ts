/** States of an endpoint: `paused` by its owner, `deactivated` because deliveries failed. */
export const WEBHOOK_STATUSES = ['active', 'paused', 'deactivated'] as const;

/** States of a delivery. `delivering` is not stored: it is what a pending or retrying one is called during an attempt. */
export const DELIVERY_STATUSES = ['pending', 'delivering', 'succeeded', 'retrying', 'failed', 'cancelled'] as const;

/** Each active endpoint multiplies the work of every event. */
export const MAX_ACTIVE_WEBHOOKS = 50;
export const MAX_WEBHOOKS = 500;

/** Kinds of work; the lane is the endpoint. */
export const DELIVERY_WORK = 'webhook_delivery';
export const REDELIVERY_WORK = 'webhook_redelivery';
export const CLEANUP_WORK = 'webhook_cleanup';
