import { clockNow } from '../../platform/context/clock';
import { invalid } from '../../platform/errors/api-error';
import type { TransitionTable } from '../../platform/state/transitions';
import type { QuoteStatus } from './quote-values';
import type { Quote } from './quote.entity';

/** Product reference 2.3: row = from, list = to. A revision is a quote of its own, so nothing returns to draft. */
export const QUOTE_TRANSITIONS: TransitionTable<QuoteStatus> = {
  draft: ['sent', 'cancelled'],
  sent: ['viewed', 'accepted', 'rejected', 'expired', 'cancelled'],
  viewed: ['accepted', 'rejected', 'expired', 'cancelled'],
  accepted: [],
  rejected: [],
  expired: [],
  cancelled: [],
};

/** Statuses in which the customer still has to answer. */
export const OPEN: readonly QuoteStatus[] = ['sent', 'viewed'];

/** Statuses that a quote can be revised from; the open ones end with it. */
export const REVISABLE: readonly QuoteStatus[] = ['sent', 'viewed', 'rejected', 'expired'];

/** The moment that each status keeps. */
export const MOMENT_OF = {
  sent: 'sent_at',
  viewed: 'viewed_at',
  accepted: 'accepted_at',
  rejected: 'rejected_at',
  expired: 'expired_at',
  cancelled: 'cancelled_at',
} as const satisfies Record<Exclude<QuoteStatus, 'draft'>, keyof Quote>;

/** Whether the customer still has to answer. */
export function awaitsAnswer(status: QuoteStatus): boolean {
  return OPEN.includes(status);
}

/** The status that holds at a moment: an open quote has expired from its end on, whether or not anybody noted it. */
export function shownStatus({ status, expires_at }: Pick<Quote, 'status' | 'expires_at'>, now: string): QuoteStatus {
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.parse(now);
  return awaitsAnswer(status) && isOver ? 'expired' : status;
}

/** 422 `immutable` unless the quote is a draft. */
export function requireDraft(quote: Pick<Quote, 'number' | 'status' | 'expires_at'>, field: string): void {
  const status = shownStatus(quote, clockNow().toISOString());
  if (status === 'draft') return;
  const message = `Only drafts can be changed or deleted; ${quote.number} is ${status}. Revise it instead.`;
  invalid(field, 'immutable', message, { status });
}
