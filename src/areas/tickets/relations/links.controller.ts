import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import { CreateRoute, DeleteRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { CreateLink } from './link.dto';
import { linkResource } from './link.resource';
import { LinksService } from './links.service';

@ApiTags('Tickets')
@Controller('tickets/:id/links')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @ListRoute(linkResource, {
    summary: 'List the links of a ticket',
    description: 'Oldest first; each as seen from this ticket, whichever of the two it was made from.',
  })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.links.listOf(id, params);
  }

  @CreateRoute(linkResource, {
    summary: 'Link a ticket with another',
    description: 'Two tickets have one link of a type at most. Linking changes neither of them.',
  })
  create(@Id() id: number, @Body() body: CreateLink): Promise<SingleResult> {
    return this.links.link(id, body);
  }

  @ReadRoute(linkResource, { path: ':link_id' })
  read(@Id() id: number, @Id('link_id') linkId: number): Promise<SingleResult> {
    return this.links.read(id, linkId);
  }

  @DeleteRoute(linkResource, { path: ':link_id' })
  remove(
    @Id() id: number,
    @Id('link_id') linkId: number,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.links.unlink(id, linkId, expected);
  }
}
