import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { ListResult } from '../../platform/http/results';
import { plainList } from '../../platform/resource/read/page';
import type { ListParams } from '../../platform/resource/reader';
import { ListQuery, PageParameters } from '../../platform/routes/routes';
import { listSchema } from '../../platform/routes/schema-names';
import { AUTH_TYPES, CATEGORIES } from '../../platform/area/provider';
import { ProvidersService } from './providers.service';

const text = { type: 'string' };
const texts = { type: 'array', items: text };

const provider = {
  type: 'object',
  required: ['key', 'name', 'category', 'auth_type', 'config_schema', 'events', 'actions', 'is_available', 'installed'],
  properties: {
    key: { ...text, example: 'slack' },
    name: text,
    description: text,
    category: { ...text, enum: [...CATEGORIES] },
    auth_type: { ...text, enum: [...AUTH_TYPES] },
    config_schema: {
      type: 'object',
      additionalProperties: true,
      description: 'JSON Schema of `config`; `writeOnly` marks secrets.',
    },
    events: { ...texts, description: 'What it may be sent; empty = nothing.' },
    default_events: { ...texts, description: 'What it is sent unless the installation says otherwise.' },
    actions: { ...texts, description: 'What it does.' },
    docs_url: { ...text, format: 'uri' },
    is_available: { type: 'boolean', description: 'Whether it can be installed.' },
    installed: { type: 'boolean', description: 'Whether the workspace has an installation of it.' },
  },
};

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
  @ApiOkResponse({ description: 'A page of the catalogue of providers.', schema: listSchema(provider) })
  async list(@ListQuery() params: ListParams): Promise<ListResult> {
    return plainList(params, await this.providers.catalogue());
  }
}
