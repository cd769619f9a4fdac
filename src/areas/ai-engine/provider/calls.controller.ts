import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import type { ListResult } from '../../../platform/http/results';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ListQuery, ListRoute } from '../../../platform/routes/routes';
import { AiCall } from './call.entity';
import { aiCallResource } from './call.resource';

@ApiTags('AI engine')
@Controller('ai-engine/calls')
export class AiCallsController {
  constructor(@InjectReader(AiCall) private readonly calls: Reader<AiCall>) {}

  @Needs('ai-engine.configure')
  @ListRoute(aiCallResource, {
    summary: 'List the calls of a provider',
    description: 'How each went, with tokens and how much was taken out before it was sent; never what was said.',
  })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.calls.list(params);
  }
}
