import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import {
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
import { CreateKbCategory, RemoveKbCategory, UpdateKbCategory } from './kb-category.dto';
import { KbCategory } from './kb-category.entity';
import { kbCategoryResource } from './kb-category.resource';
import { KbCategoriesService } from './kb-categories.service';

@ApiTags('Knowledge base')
@Controller('kb/categories')
export class KbCategoriesController {
  constructor(
    @InjectStore(KbCategory) private readonly records: Store<KbCategory>,
    private readonly categories: KbCategoriesService,
  ) {}

  @ListRoute(kbCategoryResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(kbCategoryResource)
  create(@Body() body: CreateKbCategory): Promise<SingleResult> {
    return this.categories.create(body);
  }

  @ReadRoute(kbCategoryResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(kbCategoryResource)
  update(
    @Id() id: number,
    @Body() body: UpdateKbCategory,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.categories.update(id, body, expected);
  }

  @DeleteRoute(kbCategoryResource, {})
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemoveKbCategory,
  ): Promise<SingleResult> {
    return this.categories.remove(id, expected, query);
  }
}
