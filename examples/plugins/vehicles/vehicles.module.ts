import { Module } from '@nestjs/common';
import { ticketResource } from 'helpdesk-api/areas/tickets/ticket.resource';
import { StoreModule } from 'helpdesk-api/platform/resource/store.module';
import { SendVehicle } from './send-vehicle.action';
import { TicketVehicle } from './ticket-vehicle';
import { VehicleImport } from './vehicle-import';
import { vehicleResource } from './vehicle.resource';
import { VehiclesController } from './vehicles.controller';
import { VehiclesService } from './vehicles.service';

@Module({
  imports: [StoreModule.forFeature(vehicleResource, ticketResource)],
  controllers: [VehiclesController],
  providers: [VehiclesService, VehicleImport, TicketVehicle, SendVehicle],
})
export class VehiclesModule {}
