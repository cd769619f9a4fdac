import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { ListResult } from '../../platform/http/results';
import { plainList } from '../../platform/resource/read/list-answer';
import type { ListParams } from '../../platform/resource/reader';
import { ListQuery, PageParameters } from '../../platform/routes/routes';
import { listSchema } from '../../platform/routes/schema-names';
import { ProviderEntry } from './provider-entry';
import { ProvidersService } from './providers.service';

@ApiTags('Integrations')
@Controller('integrations/providers')
export class ProvidersController {
  constructor(private readonly providers: ProvidersService) {}

  @Get()
  @ApiOperation({
    summary: 'List what can be integrated',
    description: 'Each provider with the settings that its integrations take.',
  })
  @PageParameters()
  @ApiExtraModels(ProviderEntry)
  @ApiOkResponse({
    description: 'A page of the catalogue of providers.',
    schema: listSchema({ $ref: getSchemaPath(ProviderEntry) }),
  })
  async list(@ListQuery() params: ListParams): Promise<ListResult> {
    return plainList(params, await this.providers.catalogue());
  }
}
