import { Module } from '@nestjs/common';
import { StoreModule } from '../../platform/resource/store.module';
import { ticketResource } from '../tickets/ticket.resource';
import { macroResource } from './macro.resource';
import { MacrosController } from './macros.controller';
import { MacrosService } from './macros.service';
import { TicketMacrosController } from './ticket-macros.controller';

/** Actions of automations come from their module, which is global. */
@Module({
  imports: [StoreModule.forFeature(macroResource, ticketResource)],
  controllers: [MacrosController, TicketMacrosController],
  providers: [MacrosService],
})
export class MacrosModule {}
