/** Closed lists of the ticket's fields, in order of rank. */
export const TICKET_STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'] as const;
export const TICKET_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export const TICKET_CHANNELS = ['portal', 'email', 'phone', 'chat', 'internal'] as const;
export const TICKET_TYPES = ['question', 'incident', 'problem', 'request', 'task'] as const;
export const SLA_STATUSES = ['none', 'on_track', 'at_risk', 'breached', 'paused', 'met'] as const;
export const HOLD_REASONS = ['customer', 'third_party', 'internal'] as const;
export const SENTIMENTS = ['very_negative', 'negative', 'neutral', 'positive', 'very_positive'] as const;

export type TicketStatus = (typeof TICKET_STATUSES)[number];
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

/** Most characters of a description or comment: 64 Ki. */
export const MAX_TEXT = 65_536;
