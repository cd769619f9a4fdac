import { Module } from '@nestjs/common';
import { StoreModule } from 'helpdesk-api/platform/resource/store.module';
import { TicketVehicle } from './ticket-vehicle';
import { vehicleResource } from './vehicle.resource';
import { VehiclesController } from './vehicles.controller';
import { VehiclesService } from './vehicles.service';

@Module({
  imports: [StoreModule.forFeature(vehicleResource)],
  controllers: [VehiclesController],
  providers: [VehiclesService, TicketVehicle],
})
export class VehiclesModule {}
