/** Where a lead or a deal came from. */
export const CRM_SOURCES = [
  'website',
  'referral',
  'email',
  'phone',
  'chat',
  'event',
  'ads',
  'partner',
  'import',
  'api',
  'ticket',
  'other',
] as const;

/** What a stage means for the deals in it, and the status of those deals. */
export const DEAL_STATUSES = ['open', 'won', 'lost'] as const;

export type DealStatus = (typeof DEAL_STATUSES)[number];

export const DEAL_PRIORITIES = ['low', 'medium', 'high'] as const;

export const LEAD_RATINGS = ['cold', 'warm', 'hot'] as const;
