import { workspaceCurrency } from '../../../platform/auth/workspace-settings';
import type { Database } from '../../../platform/database/database';
import type { Followed } from '../../../platform/resource/plain-takeover';
import type { Row, Values } from '../../../platform/resource/rows';
import type { Completed, TakeoverRules } from '../../../platform/resource/ruled-takeover';
import type { TakenValues } from '../../../platform/resource/takeover';
import { CONTACT_DETAILS, requireContactDetails, requireMoney } from '../leads/lead-rules';
import { isGivenUp, type LeadStatus } from '../leads/lead-states';
import type { Lead } from '../leads/lead.entity';
import { NO_REASON } from './taken-place';

/** What leads of another system are here: any status may follow any other, as it did there. */
export class LeadTaking implements TakeoverRules<Lead> {
  constructor(private readonly database: Database) {}

  /** Addresses without a scheme, codes in small letters. */
  prepare(values: TakenValues): void {
    const { website, currency, country } = values;
    if (typeof website === 'string' && website !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(website))
      values.website = `https://${website.trim()}`;
    if (typeof currency === 'string') values.currency = currency.trim().toUpperCase();
    if (typeof country === 'string') values.country = country.trim().toUpperCase();
  }

  async complete(values: Values<Lead>, { source, status: said }: TakenValues): Promise<Completed> {
    const warnings: string[] = [];
    requireContactDetails(values);
    const { status = 'new', created_at, updated_at, converted_at } = values;
    if (source === undefined) values.source = 'import';
    values.owner_id ??= null;
    // What was converted says when, whatever else it says of itself.
    values.status = said === undefined && converted_at ? 'converted' : status;
    values.converted_at = await this.convertedAt(values.status, converted_at ?? updated_at ?? created_at);
    values.lost_reason = reasonOf(values.status, values.lost_reason ?? null, warnings);
    values.currency ??= await workspaceCurrency(this.database);
    requireMoney(values.currency, values.estimated_value);
    return { warnings };
  }

  async settle(before: Row<Lead>, asked: Values<Lead>): Promise<Values<Lead>> {
    const values = { ...asked };
    const after = { ...before, ...values };
    if (CONTACT_DETAILS.some((name) => values[name] !== undefined)) requireContactDetails(after);
    if (values.currency !== undefined || values.estimated_value !== undefined)
      requireMoney(after.currency, after.estimated_value);
    const { status } = after;
    if (values.status !== undefined || values.converted_at !== undefined)
      values.converted_at = await this.convertedAt(
        status,
        values.converted_at ?? before.converted_at ?? values.updated_at,
      );
    values.lost_reason = reasonOf(status, after.lost_reason, []);
    return values;
  }

  follow(_before: Row<Lead>, values: Values<Lead>): Followed<Lead> {
    return { values };
  }

  /** When it was converted, of those that were: now, where nobody says more. */
  private async convertedAt(status: LeadStatus, said: string | null | undefined): Promise<string | null> {
    return status === 'converted' ? (said ?? (await this.database.moment())) : null;
  }
}

/** Why it was lost, for those that were. */
function reasonOf(status: LeadStatus, said: string | null, warnings: string[]): string | null {
  if (isGivenUp(status)) {
    if (said || status === 'junk') return said || null;
    warnings.push('lost_reason: nothing is said of why it was given up');
    return NO_REASON;
  }
  if (said) warnings.push(`lost_reason: only leads that were given up have one, and this one is ${status}; left out`);
  return null;
}
