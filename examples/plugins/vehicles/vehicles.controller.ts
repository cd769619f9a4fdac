import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from 'helpdesk-api/platform/http/answer-members';
import { Id } from 'helpdesk-api/platform/http/id';
import type { ListResult, SingleResult } from 'helpdesk-api/platform/http/results';
import { Upload, Uploaded } from 'helpdesk-api/platform/http/upload/upload';
import { UploadBody } from 'helpdesk-api/platform/http/upload/upload-body';
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
import { ImportedVehicles, VehicleImport } from './vehicle-import';
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
    private readonly imports: VehicleImport,
  ) {}

  @ListRoute(vehicleResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.vehicles.list(params);
  }

  @CreateRoute(vehicleResource)
  create(@Body() body: CreateVehicle): Promise<SingleResult> {
    return this.vehicles.create(body);
  }

  @Post('import')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Import vehicles',
    description: 'From a CSV file with a header (`plate`, `model`, `status`, `mileage`): all of its rows, or none.',
  })
  @Upload({ maxBytes: 32 * 1024 * 1024, types: ['multipart/form-data', 'text/csv'] })
  @AnswerOf(ImportedVehicles, { description: 'What became of the file.' })
  import(@Uploaded() file: UploadBody): Promise<ImportedVehicles> {
    return this.imports.run(file);
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
