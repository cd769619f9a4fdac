import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { InjectReader } from '../../platform/resource/store.module';
import { CreateCategory, RemoveCategory, UpdateCategory } from './category.dto';
import { Category } from './category.entity';
import { categoryResource } from './category.resource';
import { CategoriesService } from './categories.service';

@ApiTags('Categories')
@Controller('categories')
export class CategoriesController {
  constructor(
    @InjectReader(Category) private readonly records: Reader<Category>,
    private readonly categories: CategoriesService,
  ) {}

  @ListRoute(categoryResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(categoryResource)
  create(@Body() body: CreateCategory): Promise<SingleResult> {
    return this.categories.create(body);
  }

  @ReadRoute(categoryResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(categoryResource)
  update(@Id() id: number, @Body() body: UpdateCategory, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.categories.update(id, body, expected);
  }

  @DeleteRoute(categoryResource, {})
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemoveCategory,
  ): Promise<SingleResult> {
    return this.categories.remove(id, expected, query);
  }
}
