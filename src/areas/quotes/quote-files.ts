import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { AttachmentHolder } from '../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../attachments/holders/attachment-holders';
import { Quote } from './quote.entity';
import { requireDraft } from './quote-status';

/** Files of quotes: the customer's once the quote was sent, and fixed from then on like the quote itself. */
@Injectable()
export class QuoteFiles implements AttachmentHolder, OnModuleInit {
  readonly column = 'quote_id';
  readonly permission = 'quotes.update';

  constructor(
    @InjectStore(Quote) private readonly quotes: Store<Quote>,
    private readonly holders: AttachmentHolders,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  async isPublic(id: number): Promise<boolean> {
    const quote = await this.quotes.find(id);
    return quote !== null && quote.sent_at !== null;
  }

  async letGo(id: number): Promise<void> {
    const quote = await this.quotes.lockIfAny(id);
    if (quote) requireDraft(quote, 'id');
  }
}
