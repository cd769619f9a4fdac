import { Injectable } from '@nestjs/common';
import { invalid } from 'helpdesk-api/platform/errors/api-error';
import type { SingleResult } from 'helpdesk-api/platform/http/results';
import type { Change } from 'helpdesk-api/platform/resource/change';
import type { ExpectedVersions } from 'helpdesk-api/platform/resource/etag';
import type { Row, Values } from 'helpdesk-api/platform/resource/rows';
import { Store } from 'helpdesk-api/platform/resource/store';
import { InjectStore } from 'helpdesk-api/platform/resource/store.module';
import type { UpdateVehicle } from './vehicle.dto';
import { Vehicle } from './vehicle.entity';

@Injectable()
export class VehiclesService {
  constructor(@InjectStore(Vehicle) private readonly vehicles: Store<Vehicle>) {}

  update(id: number, body: UpdateVehicle, expected: ExpectedVersions): Promise<SingleResult> {
    return this.vehicles.update(id, body, expected, driving);
  }
}

/** A mileage only grows; breaking down is worth an event of its own. */
function driving(before: Row<Vehicle>, values: Values<Vehicle>): Change<Vehicle> {
  if (values.mileage !== undefined && values.mileage < before.mileage)
    invalid('mileage', 'min', `"mileage" is ${before.mileage} already and only grows.`);
  const breaksDown = before.status !== 'broken' && values.status === 'broken';
  return breaksDown ? { values, events: ['vehicle.updated', 'vehicle.broke_down'] } : { values };
}
