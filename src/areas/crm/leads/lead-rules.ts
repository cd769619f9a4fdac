import { saidIn } from '../../../platform/columns/not-blank';
import { fail, invalid } from '../../../platform/errors/api-error';
import { requireCurrency, requireWholeMinorUnits } from '../../../platform/money/currency';
import type { Values } from '../../../platform/resource/rows';
import type { Lead } from './lead.entity';
import { isGivenUp, type LeadStatus } from './lead-states';

/** Ways to reach the person behind a lead, or at least to know whom to ask for. */
export const CONTACT_DETAILS = ['email', 'phone', 'company_name', 'company_id', 'contact_id'] as const;

/** Refuses (422, one detail per field) a lead that nobody could get in touch with. */
export function requireContactDetails(lead: Values<Lead>): void {
  const isGiven = (value: string | number | null | undefined): boolean =>
    typeof value === 'string' ? saidIn(value) !== null : typeof value === 'number';
  if (CONTACT_DETAILS.some((name) => isGiven(lead[name]))) return;
  const message = `A lead needs at least one of ${CONTACT_DETAILS.join(', ')}.`;
  const details = CONTACT_DETAILS.map((field) => ({ field, code: 'required', message }));
  fail('validation_error', message, { details });
}

/**
 * The reason why a lead was lost, after a change: needed by an unqualified one, possible for junk, gone from the others.
 *
 * @param before the present reason
 * @param asked what the body says; undefined when it says nothing
 */
export function lostReason(status: LeadStatus, before: string | null, asked: string | null | undefined): string | null {
  const reason = asked === undefined ? before : saidIn(asked);
  if (status === 'unqualified' && reason === null) {
    const message = 'An unqualified lead needs a "lost_reason".';
    fail('validation_error', message, {
      missing: ['lost_reason'],
      details: [{ field: 'lost_reason', code: 'required', message }],
    });
  }
  if (isGivenUp(status)) return reason;
  if (reason !== null && reason !== before) {
    invalid('lost_reason', 'invalid', `Only unqualified and junk leads have a "lost_reason"; this one is ${status}.`);
  }
  return null;
}

/** Refuses (422) what is no currency, and an estimate that it has no coin for. */
export function requireMoney(currency: string, estimate: number | null | undefined): void {
  requireCurrency('currency', currency);
  requireWholeMinorUnits('estimated_value', estimate, currency);
}
