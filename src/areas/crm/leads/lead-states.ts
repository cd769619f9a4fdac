import { invalid } from '../../../platform/errors/api-error';
import { mayBecome, requireTransition, type TransitionTable } from '../../../platform/state/transitions';

/** In order of progress; the last two are dead ends that a lead may be brought back from. */
export const LEAD_STATUSES = [
  'new',
  'contacted',
  'nurturing',
  'qualified',
  'converted',
  'unqualified',
  'junk',
] as const;

export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Product reference 2.4: forward, also past a state; never back, but for reviving. Converted is the end. */
export const leadTransitions: TransitionTable<LeadStatus> = {
  new: ['contacted', 'nurturing', 'qualified', 'converted', 'unqualified', 'junk'],
  contacted: ['nurturing', 'qualified', 'converted', 'unqualified', 'junk'],
  nurturing: ['qualified', 'converted', 'unqualified', 'junk'],
  qualified: ['converted', 'unqualified', 'junk'],
  converted: [],
  unqualified: ['new'],
  junk: ['new'],
};

/** Refuses (422 `invalid_transition`) a change of status by hand; `converted` is for the conversion alone. */
export function requireLeadChange(from: LeadStatus, to: LeadStatus): void {
  const allowed: readonly LeadStatus[] = leadTransitions[from].filter((state) => state !== 'converted');
  if (allowed.includes(to)) return;
  const reason = to === 'converted' ? '; POST /crm/leads/{id}/convert converts a lead' : '';
  invalid('status', 'invalid_transition', `"status" cannot change from ${from} to ${to}${reason}.`, {
    from,
    to,
    allowed,
  });
}

/** Refuses to convert a lead that is converted already, or was given up. */
export function requireConvertible(from: LeadStatus): void {
  requireTransition(leadTransitions, 'status', from, 'converted');
}

/** Whether a lead was given up: only then it has a reason why it was lost. */
export function isGivenUp(status: LeadStatus): boolean {
  return mayBecome(leadTransitions, status, 'new');
}
