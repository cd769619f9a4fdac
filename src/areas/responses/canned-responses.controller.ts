import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
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
import {
  CreateCannedResponse,
  RenderCannedResponse,
  RenderedResponse,
  UpdateCannedResponse,
} from './canned-response.dto';
import { CannedResponse } from './canned-response.entity';
import { cannedResponseResource } from './canned-response.resource';
import { CannedResponsesService } from './canned-responses.service';

@ApiTags('Canned responses')
@Controller('canned-responses')
export class CannedResponsesController {
  constructor(
    @InjectStore(CannedResponse) private readonly records: Store<CannedResponse>,
    private readonly responses: CannedResponsesService,
  ) {}

  @ListRoute(cannedResponseResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(cannedResponseResource)
  create(@Body() body: CreateCannedResponse): Promise<SingleResult> {
    return this.responses.create(body);
  }

  @ReadRoute(cannedResponseResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(cannedResponseResource)
  update(
    @Id() id: number,
    @Body() body: UpdateCannedResponse,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.responses.update(id, body, expected);
  }

  @DeleteRoute(cannedResponseResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }

  @Post(':id/render')
  @Needs('canned-responses.read', 'write')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Render a canned response for a ticket',
    description:
      'Says nothing to anybody: what to do with the text is up to the caller. Counts as a use unless `preview` is set.',
  })
  @AnswerOf(RenderedResponse, { description: 'The text for this ticket.' })
  async render(
    @Id() id: number,
    @Body() body: RenderCannedResponse,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<RenderedResponse> {
    await this.records.require(id, expected);
    return this.responses.render(id, body);
  }
}
