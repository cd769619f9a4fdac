import { Controller, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ListParams } from '../../platform/resource/reader';
import { ListQuery, ListRoute, ReadRoute } from '../../platform/routes/routes';
import { eventResource } from './event.resource';
import { EventsService } from './events.service';

@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @ListRoute(eventResource, {
    description:
      'What webhooks deliver, to be asked for: oldest first, the last 30 days. Keep the id of the last event and pass it as `after` the next time; nothing is missed and nothing comes twice.',
  })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.events.page(params);
  }

  @ReadRoute(eventResource)
  @ApiParam({ name: 'id', schema: { type: 'string', example: 'evt_01976f7e1d1c7d3c8a1b2c3d4e5f6071' } })
  read(@Param('id') id: string): Promise<SingleResult> {
    return this.events.one(id);
  }
}
