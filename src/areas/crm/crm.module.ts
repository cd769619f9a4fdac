import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module';
import { ContactsModule } from '../contacts/contacts.module';
import { DealHistoryService } from './deals/deal-history.service';
import { DealsService } from './deals/deals.service';
import { LeadsService } from './leads/leads.service';
import { PipelinesService } from './pipelines/pipelines.service';
import { StagesService } from './pipelines/stages.service';

@Module({
  imports: [CompaniesModule, ContactsModule],
  providers: [DealsService, DealHistoryService, LeadsService, PipelinesService, StagesService],
  exports: [DealsService],
})
export class CrmModule {}
