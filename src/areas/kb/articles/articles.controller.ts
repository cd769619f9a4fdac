import { Body, Controller, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CountViews, CreateKbArticle, ReviewKbArticle, UpdateKbArticle } from './article.dto';
import { KbArticle } from './article.entity';
import { kbArticleResource } from './article.resource';
import { KbArticlesService } from './articles.service';
import { ContentAlias } from './content-alias.interceptor';

@ApiTags('Knowledge base')
@Controller('kb/articles')
export class KbArticlesController {
  constructor(
    @InjectStore(KbArticle) private readonly records: Store<KbArticle>,
    private readonly articles: KbArticlesService,
  ) {}

  @ListRoute(kbArticleResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(kbArticleResource, { description: 'It may begin in any status.' })
  @UseInterceptors(ContentAlias)
  create(@Body() body: CreateKbArticle): Promise<SingleResult> {
    return this.articles.create(body);
  }

  @ReadRoute(kbArticleResource, {
    description: 'The version that editors see; `expand=live` adds the one that readers see. Reading counts no view.',
  })
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(kbArticleResource, { description: 'A change of the content makes a new version.' })
  @UseInterceptors(ContentAlias)
  update(
    @Id() id: number,
    @Body() body: UpdateKbArticle,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.articles.update(id, body, expected);
  }

  @DeleteRoute(kbArticleResource, { description: 'Its versions and feedback go, too; translations stay as articles.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }

  @Needs('kb.feedback')
  @ActionRoute(kbArticleResource, ':id/view', {
    summary: 'Count views of an article',
    description: 'For the portal that shows it. No event, and neither its version nor `updated_at` change.',
  })
  view(@Id() id: number, @Body() body: CountViews, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.articles.countViews(id, body.count ?? 1, expected);
  }

  @ActionRoute(kbArticleResource, ':id/review', {
    summary: 'Say that an article still holds',
    description: 'Sets `reviewed_at`, and when the next review is due.',
  })
  review(
    @Id() id: number,
    @Body() body: ReviewKbArticle,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.articles.review(id, body.review_due_at ?? null, expected);
  }
}
