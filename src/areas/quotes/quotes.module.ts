import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { quoteItemResource } from './items/quote-item.resource';
import { quoteEventResource } from './log/quote-event.resource';
import { CrmModule } from '../crm/crm.module';
import { AttachmentsModule } from '../attachments/attachments.module';
import { QuoteDocuments } from './document/quote-documents.service';
import { QuoteMail } from './document/quote-mail';
import { QuoteItemsController } from './items/quote-items.controller';
import { QuoteItemsService } from './items/quote-items.service';
import { QuoteLog } from './log/quote-log.service';
import { QuotePageController } from './page/quote-page.controller';
import { QuotePageService } from './page/quote-page.service';
import { QuoteTransitions } from './quote-transitions.service';
import { QuoteExpiry } from './quote-expiry';
import { QuoteFiles } from './quote-files';
import { QuoteIntake } from './quote-intake';
import { quoteResource } from './quote.resource';
import { QuotesController } from './quotes.controller';
import { QuotesService } from './quotes.service';

@Module({
  imports: [StoreModule.forFeature(quoteResource, quoteItemResource, quoteEventResource), CrmModule, AttachmentsModule],
  controllers: [QuotesController, QuoteItemsController, QuotePageController],
  providers: [
    QuoteIntake,
    QuoteFiles,
    QuoteLog,
    QuotesService,
    QuoteItemsService,
    QuoteTransitions,
    QuoteExpiry,
    QuoteDocuments,
    QuoteMail,
    QuotePageService,
  ],
})
export class QuotesModule {}
