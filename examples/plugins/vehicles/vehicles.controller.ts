import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from 'helpdesk-api/platform/http/id';
import type { ListResult, SingleResult } from 'helpdesk-api/platform/http/results';
import type { ExpectedVersions } from 'helpdesk-api/platform/resource/etag';
import type { ListParams } from 'helpdesk-api/platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from 'helpdesk-api/platform/routes/routes';
import { Store } from 'helpdesk-api/platform/resource/store';
import { InjectStore } from 'helpdesk-api/platform/resource/store.module';
import { CreateVehicle, UpdateVehicle } from './vehicle.dto';
import { Vehicle } from './vehicle.entity';
import { vehicleResource } from './vehicle.resource';
import { VehiclesService } from './vehicles.service';

@ApiTags('Vehicles')
@Controller('vehicles')
export class VehiclesController {
  constructor(
    @InjectStore(Vehicle) private readonly vehicles: Store<Vehicle>,
    private readonly rules: VehiclesService,
  ) {}

  @ListRoute(vehicleResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.vehicles.list(params);
  }

  @CreateRoute(vehicleResource)
  create(@Body() body: CreateVehicle): Promise<SingleResult> {
    return this.vehicles.create(body);
  }

  @ReadRoute(vehicleResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.vehicles.read(id);
  }

  @UpdateRoute(vehicleResource)
  update(@Id() id: number, @Body() body: UpdateVehicle, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.rules.update(id, body, expected);
  }

  @DeleteRoute(vehicleResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.vehicles.remove(id, expected);
  }
}
