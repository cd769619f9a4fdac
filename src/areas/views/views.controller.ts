import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../platform/http/answer-members';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { CountsQuery, CreateView, UpdateView, ViewCounts } from './view.dto';
import { View } from './view.entity';
import { viewResource } from './view.resource';
import { ViewsService } from './views.service';

@ApiTags('Views')
@Controller('views')
export class ViewsController {
  constructor(
    @InjectStore(View) private readonly records: Store<View>,
    private readonly views: ViewsService,
  ) {}

  @ListRoute(viewResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(viewResource, {
    description:
      'Checked by the rules of the list that it is of. `GET /tickets?view={id}` then shows it, and likewise every list.',
  })
  create(@Body() body: CreateView): Promise<SingleResult> {
    return this.views.create(body);
  }

  @Get('counts')
  @ApiOperation({
    summary: 'Count the records of views',
    description: 'All at once, exactly, as the caller would see them. A view that fits its list no longer says so.',
  })
  @AnswerOf(ViewCounts, { description: 'The count of each view.' })
  counts(@Query() query: CountsQuery): Promise<ViewCounts> {
    return this.views.counts(query);
  }

  @ReadRoute(viewResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(viewResource)
  update(@Id() id: number, @Body() body: UpdateView, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.views.update(id, body, expected);
  }

  @DeleteRoute(viewResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
