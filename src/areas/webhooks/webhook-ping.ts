/** The event of a test delivery. */
export const PING = 'webhook.ping';
