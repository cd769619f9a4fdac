import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { kbArticleResource } from '../articles/article.resource';
import { kbArticleVersionResource } from './version.resource';
import { KbVersionsService } from './versions.service';

@ApiTags('Knowledge base')
@Controller('kb/articles/:id/versions')
export class KbVersionsController {
  constructor(private readonly versions: KbVersionsService) {}

  @ListRoute(kbArticleVersionResource, { description: 'Newest first: one for every change of the content.' })
  list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    return this.versions.listOf(id, params);
  }

  @ReadRoute(kbArticleVersionResource, { path: ':number' })
  read(@Id() id: number, @Id('number') number: number): Promise<SingleResult> {
    return this.versions.readOf(id, number);
  }

  @ActionRoute(kbArticleResource, ':number/restore', {
    summary: 'Bring back a version of an article',
    description: 'Its content becomes a new version; the status stays. Answers the article.',
  })
  restore(
    @Id() id: number,
    @Id('number') number: number,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.versions.restore(id, number, expected);
  }
}
