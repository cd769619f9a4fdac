import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { TicketsModule } from '../tickets/tickets.module';
import { ContactsModule } from '../contacts/contacts.module';
import { ContactExport } from './contact-export';
import { ContactErasureController, ErasuresController } from './erasures.controller';
import { erasureResource } from './erasure.resource';
import { ErasureRunner } from './erasure-runner';
import { ErasuresService } from './erasures.service';
import { LogRetention } from './retention/log-retention';
import { RetentionController } from './retention/retention.controller';
import { RetentionRules } from './retention/retention-rules';
import { retentionRunResource } from './retention/retention-run.resource';
import { RetentionRunner } from './retention/retention-runner';
import { RetentionService } from './retention/retention.service';
import { RetentionSweep } from './retention/retention-sweep';
import { TicketRetention } from './retention/ticket-retention';

@Module({
  imports: [StoreModule.forFeature(erasureResource, retentionRunResource), ContactsModule, TicketsModule],
  controllers: [ContactErasureController, ErasuresController, RetentionController],
  providers: [
    ...[ContactExport, ErasuresService, ErasureRunner],
    ...[RetentionRules, RetentionRunner, RetentionService, RetentionSweep, TicketRetention, LogRetention],
  ],
})
export class PrivacyAreaModule {}
