import { Module } from '@nestjs/common';
import { stageChangeResource } from './deals/stage-change.resource';
import { dealResource } from './deals/deal.resource';
import { pipelineResource } from './pipelines/pipeline.resource';
import { stageResource } from './stages/stage.resource';
import { StoreModule } from '../../platform/resource/store.module';
import { CompaniesModule } from '../companies/companies.module';
import { ContactsModule } from '../contacts/contacts.module';
import { DealHistoryService } from './deals/deal-history.service';
import { DealsController } from './deals/deals.controller';
import { DealsService } from './deals/deals.service';
import { LeadConversion } from './leads/lead-conversion.service';
import { leadResource } from './leads/lead.resource';
import { LeadsController } from './leads/leads.controller';
import { LeadsService } from './leads/leads.service';
import { PipelineMetricsController } from './metrics/metrics.controller';
import { PipelineMetricsService } from './metrics/pipeline-metrics.service';
import { PipelinesController } from './pipelines/pipelines.controller';
import { PipelinesService } from './pipelines/pipelines.service';
import { StagesController } from './stages/stages.controller';
import { StagesService } from './stages/stages.service';
import { CrmTakeover } from './takeover/crm-takeover';

/** Leads, deals, and the pipelines with their stages. */
@Module({
  imports: [
    StoreModule.forFeature(leadResource, dealResource, pipelineResource, stageResource, stageChangeResource),
    CompaniesModule,
    ContactsModule,
  ],
  controllers: [LeadsController, DealsController, PipelinesController, StagesController, PipelineMetricsController],
  providers: [
    LeadsService,
    LeadConversion,
    DealsService,
    DealHistoryService,
    PipelinesService,
    StagesService,
    PipelineMetricsService,
    CrmTakeover,
  ],
  exports: [DealsService],
})
export class CrmModule {}
