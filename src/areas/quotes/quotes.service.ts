import { Injectable } from '@nestjs/common';
import { invalid } from '../../platform/http/errors';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { sameValue } from '../../platform/resource/column-spec';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { type Change, type Creation, ResourceService, type Row } from '../../platform/resource/resource.service';
import type { Values } from '../../platform/resource/resource.service';
import { completed, itemsAlongside, requireWhole } from './items/item-rows';
import type { NewQuoteItem } from './items/quote-item.dto';
import { notedAlongside, QuoteLog } from './log/quote-log.service';
import { QuoteIntake } from './quote-intake';
import { quoteNumber } from './quote-number';
import { awaitsAnswer, QUOTE_TRANSITIONS, REVISABLE, shownStatus } from './quote-status';
import { daysBetween, daysLater, requireTerms, type Terms } from './amounts/quote-terms';
import { type Pricing, type QuoteTotals, reckon } from './amounts/quote-totals';
import type { QuoteStatus } from './quote-values';
import { quoteResource } from './quote.resource';

/** What may change when the customer has the quote: nothing that the document shows. */
const INTERNAL = ['owner_id', 'deal_id', 'ticket_id', 'external_id', 'custom_fields'];

/** What a revision takes over from the quote that it replaces. */
const COPIED = [
  'title',
  'company_id',
  'contact_id',
  'deal_id',
  'ticket_id',
  'owner_id',
  'recipient_email',
  'currency',
  'tax_mode',
  'discount',
  'terms',
  'notes',
  'header',
  'footer',
  'custom_fields',
];

/** Quotes: numbers, terms, totals; drafts may change, what was sent may not. */
@Injectable()
export class QuotesService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly intake: QuoteIntake,
    private readonly log: QuoteLog,
  ) {
    super(quoteResource, kernel);
  }

  /** The quote, locked; 422 `immutable` unless it is a draft. */
  async lockDraft(id: number, field: string): Promise<Row> {
    const quote = await this.lock(id, null);
    requireDraft(quote, field);
    return quote;
  }

  /** Stores new totals of a locked quote whose items changed, and says so. */
  async itemsChanged(quote: Row, totals: QuoteTotals, related: Record<string, unknown>): Promise<void> {
    await this.apply(quote, { values: { ...totals }, always: true, related });
  }

  /**
   * Replaces a quote by a draft with the same items, valid for as many days from today. An open quote ends with it. Of two
   * at once one wins: the first one holds the quote.
   */
  async revise(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const old = await this.lock(id, expected);
      const { now, today } = await this.intake.today(old.valid_until);
      requireRevisable(shownStatus(old, now));
      const known = await this.intake.revisionOf(id);
      if (known) invalid('id', 'already_revised', `${String(old.number)} was revised already: ${known.number}.`, known);
      const written = await this.insert({
        ...Object.fromEntries(COPIED.map((name) => [name, old[name]])),
        items: await this.intake.items(id),
        issue_date: today,
        valid_until: daysLater(today, daysBetween(old.issue_date as string, old.valid_until as string)),
        revision: (old.revision as number) + 1,
        revision_of_id: id,
      });
      const { number } = JSON.parse(written.json) as { number: string };
      await this.retire(old, now, { id: written.id, number });
      return this.answer(written, 201);
    });
  }

  /** What becomes of a quote when another one replaces it. */
  private async retire(old: Row, now: Date, revision: { id: number; number: string }): Promise<void> {
    const from_status = old.status as QuoteStatus;
    const isLate = shownStatus(old, now) === 'expired';
    const to_status = isLate ? 'expired' : 'cancelled';
    const ends = awaitsAnswer(old.status);
    const at = isLate ? old.expires_at : now.toISOString();
    await this.log.add(old.id, [
      ...(ends ? [{ type: to_status, from_status, to_status } as const] : []),
      { type: 'revised', data: { revision } },
    ]);
    await this.apply(old, {
      values: ends ? { status: to_status, [`${to_status}_at`]: at } : {},
      events: [...(ends ? [`quote.${to_status}`] : []), 'quote.revised'],
      silent: !ends,
      always: true,
      related: { revision },
    });
  }

  protected override async prepareCreate(values: Values, body: Values): Promise<Creation> {
    const { serial, today } = await this.intake.opening();
    const issue_date = (values.issue_date as string | undefined) ?? today;
    Object.assign(values, {
      serial,
      number: quoteNumber(serial),
      issue_date,
      valid_until: (values.valid_until as string | undefined) ?? daysLater(issue_date),
      owner_id: body.owner_id === undefined ? this.actingUserId() : body.owner_id,
    });
    requireTerms(values as unknown as Terms);
    const asked = (body.items ?? []) as NewQuoteItem[];
    requireWhole(asked);
    const items = asked.map(completed);
    const { items: amounts, totals } = reckon(items, values as unknown as Pricing);
    Object.assign(values, totals);
    const noted = notedAlongside([
      { type: 'created', to_status: 'draft', data: { number: values.number, items: items.length } },
    ]);
    if (items.length === 0) return { alongside: noted };
    const written = itemsAlongside(items, amounts);
    return { alongside: (bind) => `${written(bind)}, ${noted(bind)}` };
  }

  protected override async prepareUpdate(before: Row, values: Values): Promise<Change> {
    const changed = this.differing(before, values);
    if (changed.length === 0) return { values };
    const locked = changed.find((name) => !INTERNAL.includes(name));
    if (locked !== undefined) requireDraft(before, locked);
    const after = { ...before, ...values } as unknown as Terms & Pricing;
    requireTerms(after);
    if (changed.some((name) => ['currency', 'discount', 'tax_mode'].includes(name))) {
      Object.assign(values, await this.repriced(before.id, after));
    }
    const data = {
      changes: Object.fromEntries(changed.map((name) => [name, { from: before[name], to: values[name] }])),
    };
    await this.log.add(before.id, [{ type: 'updated', data }]);
    return { values };
  }

  /** What a customer has seen stays. */
  protected override prepareRemove(before: Row): Promise<void> {
    requireDraft(before, 'status');
    return Promise.resolve();
  }

  private differing(before: Row, values: Values): string[] {
    return Object.keys(values).filter((name) => {
      const column = this.resource.column.get(name);
      return column !== undefined && !sameValue(column, before[name], values[name]);
    });
  }

  /** Works the items out anew under other terms, and answers the totals. */
  private async repriced(id: number, pricing: Pricing): Promise<QuoteTotals> {
    const items = await this.intake.items(id);
    const { items: amounts, totals } = reckon(items, pricing);
    await this.intake.storeAmounts(items, amounts);
    return totals;
  }
}

/** 422 `immutable` unless the quote is a draft. */
function requireDraft(quote: Row, field: string): void {
  const status = shownStatus(quote, new Date());
  if (status === 'draft') return;
  const message = `Only drafts can be changed or deleted; ${String(quote.number)} is ${status}. Revise it instead.`;
  invalid(field, 'immutable', message, { status });
}

function requireRevisable(status: QuoteStatus): void {
  if (REVISABLE.includes(status)) return;
  const message = `A quote that is ${status} cannot be revised; only one that is ${REVISABLE.join(', ')}.`;
  invalid('status', 'invalid_transition', message, { from: status, to: 'draft', allowed: QUOTE_TRANSITIONS[status] });
}
