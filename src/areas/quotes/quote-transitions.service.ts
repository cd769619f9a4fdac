import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { JobQueue } from '../../platform/queue/job-queue';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Change } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { PublicLinks } from '../../platform/secrets/public-links';
import { requireTransition } from '../../platform/state/transitions';
import { DealsService } from '../crm/deals/deals.service';
import { QuoteLog } from './log/quote-log.service';
import { QUOTE_MAIL } from './document/quote-mail';
import { QUOTE_PAGE } from './page/quote-view';
import { QuoteIntake, type Today } from './quote-intake';
import { awaitsAnswer, MOMENT_OF, QUOTE_TRANSITIONS, shownStatus } from './quote-status';
import type { ChangeQuoteStatus } from './quote.dto';
import { Quote } from './quote.entity';

/** A change of status; on the public page with the address that it came from. */
export type StatusChange = Omit<ChangeQuoteStatus, 'accepted_by'> & {
  accepted_by?: { name: string; email?: string | null; ip?: string | null };
};

/** Fields of a change of status, and the statuses that each belongs to. */
const BELONGS_TO: readonly (readonly [keyof StatusChange, readonly string[]])[] = [
  ['reason', ['rejected', 'cancelled', 'expired']],
  ['accepted_by', ['accepted']],
  ['deal_won', ['accepted']],
  ['send_email', ['sent']],
];

/** Transitions of quotes between their statuses: product reference 2.3. */
@Injectable()
export class QuoteTransitions {
  constructor(
    @InjectStore(Quote) private readonly quotes: Store<Quote>,
    private readonly intake: QuoteIntake,
    private readonly log: QuoteLog,
    private readonly links: PublicLinks,
    private readonly jobs: JobQueue,
    private readonly deals: DealsService,
  ) {}

  /** Changes the status as a request asks. */
  async change(id: number, asked: StatusChange, expected: ExpectedVersions): Promise<SingleResult> {
    requireFitting(asked);
    return this.quotes.mutate(id, expected, (quote) => this.follow(quote, asked));
  }

  /** The customer answers; an answer to what is decided or over already changes nothing. */
  async answer(id: number, asked: StatusChange): Promise<void> {
    await this.quotes.mutate(id, null, async (quote) => {
      const { now } = await this.intake.today(quote.valid_until);
      return awaitsAnswer(shownStatus(quote, now)) ? this.follow(quote, asked) : { values: {} };
    });
  }

  /** The customer has opened it; only the first time counts. */
  async view(id: number): Promise<void> {
    await this.quotes.mutate(id, null, async (quote) => {
      const { now } = await this.intake.today(quote.valid_until);
      return shownStatus(quote, now) === 'sent' ? this.follow(quote, { status: 'viewed' }) : { values: {} };
    });
  }

  /** Notes that the time of an open quote is over; nothing when it is not, or no longer matters. */
  async expire(id: number): Promise<void> {
    await this.quotes.mutate(id, null, async (quote) => {
      const time = await this.intake.today(quote.valid_until);
      const { status, expires_at } = quote;
      const isDue = awaitsAnswer(status) && shownStatus(quote, time.now) === 'expired';
      return isDue && expires_at !== null
        ? this.record(quote, { status: 'expired' }, time, expires_at)
        : { values: {} };
    });
  }

  /** Decides about a locked quote by the status that holds: the answer is the same whether or not its end was noted already. */
  private async follow(quote: Row<Quote>, asked: StatusChange): Promise<Change<Quote>> {
    const time = await this.intake.today(quote.valid_until);
    requireTransition(QUOTE_TRANSITIONS, 'status', shownStatus(quote, time.now), asked.status);
    return this.record(quote, asked, time, time.now);
  }

  /** What a change of status means: values, events, the entry in the quote's log, and what else comes with it. */
  private async record(quote: Row<Quote>, asked: StatusChange, time: Today, at: string): Promise<Change<Quote>> {
    const values: Values<Quote> = { status: asked.status };
    values[MOMENT_OF[asked.status]] = at;
    if (asked.status === 'sent') Object.assign(values, await this.sending(quote, time, asked.send_email ?? true));
    if (asked.status === 'rejected') values.rejection_reason = asked.reason ?? null;
    if (asked.status === 'accepted') Object.assign(values, await this.accepting(quote, asked));
    await this.log.add(quote.id, [
      {
        type: asked.status,
        from_status: quote.status,
        to_status: asked.status,
        data: dataOf(asked),
      },
    ]);
    return { values, events: ['quote.updated', `quote.${asked.status}`] };
  }

  /** What must be there before a quote leaves the house, and what is fixed when it does. */
  private async sending(quote: Row<Quote>, { today, ends }: Today, withMail: boolean): Promise<Values<Quote>> {
    if ((await this.intake.items(quote.id)).length === 0)
      invalid('items', 'required', 'A quote needs at least one item before it is sent.');
    if (quote.recipient_email === null && quote.contact_id === null)
      invalid('recipient_email', 'required', 'A quote needs a recipient or a contact before it is sent.');
    if (quote.valid_until < today)
      invalid('valid_until', 'min', `"valid_until" has passed; today is ${today}.`, { min: today });
    const parties = await this.intake.parties(quote);
    if (withMail) await this.jobs.add([{ kind: QUOTE_MAIL, subject_id: quote.id }]);
    return {
      parties,
      recipient_email: parties.email,
      expires_at: ends,
      public_url: this.links.url(QUOTE_PAGE, { workspaceId: currentWorkspaceId(), id: quote.id }),
    };
  }

  private async accepting(quote: Row<Quote>, { accepted_by, deal_won = true }: StatusChange): Promise<Values<Quote>> {
    if (deal_won && quote.deal_id !== null) await this.deals.win(quote.deal_id);
    if (!accepted_by) return {};
    const { name, email = null, ip = null } = accepted_by;
    return { accepted_by: { name, email: email?.toLowerCase() ?? null, ip } };
  }
}

/** Refuses what does not belong to the status asked for, and a rejection without a reason. */
function requireFitting(asked: StatusChange): void {
  for (const [field, statuses] of BELONGS_TO) {
    if (asked[field] !== undefined && !statuses.includes(asked.status))
      invalid(field, 'invalid', `"${field}" belongs to the status ${statuses.join(', ')}.`);
  }
  if (asked.status === 'rejected' && asked.reason === undefined)
    invalid('reason', 'required', 'A rejection needs a reason.');
}

function dataOf({ reason, note, accepted_by }: StatusChange): Record<string, unknown> {
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(note === undefined ? {} : { note }),
    ...(accepted_by === undefined ? {} : { accepted_by: { ...accepted_by } }),
  };
}
