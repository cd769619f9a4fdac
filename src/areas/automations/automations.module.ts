import { Global, Module } from '@nestjs/common';
import { TicketActions } from '../sla/ticket-actions';
import { TicketsModule } from '../tickets/tickets.module';
import { StoreModule } from '../../platform/resource/store.module';
import { automationResource } from './automation.resource';
import { AutomationsController } from './automations.controller';
import { AutomationsService } from './automations.service';
import { DefinitionsController } from './definitions.controller';
import { DryRunController } from './dry-run.controller';
import { DryRunService } from './dry-run.service';
import { AppliedActions } from './engine/applied-actions';
import { AutomationEngineModule } from './engine/engine.module';
import { EngineTicketActions } from './engine/ticket-actions.provider';
import { ImaginedTickets } from './imagined-ticket';
import { PlainHeaders } from './plain-headers';
import { RuleCheck } from './rule-check';

/** Global, so that areas below find the port `TicketActions` without knowing who is behind it. */
@Global()
@Module({
  imports: [StoreModule.forFeature(automationResource), TicketsModule, AutomationEngineModule],
  controllers: [DefinitionsController, DryRunController, AutomationsController],
  providers: [
    AutomationsService,
    RuleCheck,
    PlainHeaders,
    DryRunService,
    ImaginedTickets,
    AppliedActions,
    { provide: TicketActions, useClass: EngineTicketActions },
  ],
  exports: [TicketActions, AppliedActions],
})
export class AutomationsModule {}
