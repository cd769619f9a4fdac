import { Module } from '@nestjs/common';
import { AccessModule } from '../../platform/auth/access.module';
import { StoreModule } from '../../platform/resource/store.module';
import { TicketMacros } from '../tickets/ticket-macros';
import { TicketsModule } from '../tickets/tickets.module';
import { BulkJobsController, TicketBulkController } from './bulk/bulk-jobs.controller';
import { bulkJobResource } from './bulk/bulk-job.resource';
import { BulkJobsService } from './bulk/bulk-jobs.service';
import { BulkRetention } from './bulk/bulk-retention';
import { BulkRunner } from './bulk/bulk-runner';
import { macroResource } from './macro.resource';
import { MacrosController } from './macros.controller';
import { MacrosService } from './macros.service';
import { TicketMacrosController } from './ticket-macros.controller';

/** Actions of automations come from their module, which is global. */
@Module({
  imports: [StoreModule.forFeature(macroResource, bulkJobResource), AccessModule, TicketsModule],
  controllers: [MacrosController, TicketMacrosController, TicketBulkController, BulkJobsController],
  providers: [
    MacrosService,
    { provide: TicketMacros, useExisting: MacrosService },
    BulkJobsService,
    BulkRunner,
    BulkRetention,
  ],
})
export class MacrosModule {}
