import { Module } from '@nestjs/common';
import { QuoteItemsController } from './items/quote-items.controller';
import { QuoteItemsService } from './items/quote-items.service';
import { QuoteLog } from './log/quote-log.service';
import { QuoteIntake } from './quote-intake';
import { QuotesController } from './quotes.controller';
import { QuotesService } from './quotes.service';

@Module({
  controllers: [QuotesController, QuoteItemsController],
  providers: [QuoteIntake, QuoteLog, QuotesService, QuoteItemsService],
})
export class QuotesModule {}
