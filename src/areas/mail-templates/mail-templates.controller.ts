import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { AnswerOf } from '../../platform/http/answer-members';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { plainList } from '../../platform/resource/read/list-answer';
import type { ListParams } from '../../platform/resource/reader';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  PageParameters,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { listSchema } from '../../platform/routes/schema-names';
import {
  CreateMailTemplate,
  MailTemplateKind,
  MailTemplatePreview,
  PreviewMailTemplate,
  UpdateMailTemplate,
} from './mail-template.dto';
import { MailTemplate } from './mail-template.entity';
import { mailTemplateResource } from './mail-template.resource';
import { MailTemplatesService } from './mail-templates.service';

@ApiTags('Mail templates')
@Controller('mail-templates')
export class MailTemplatesController {
  constructor(
    @InjectStore(MailTemplate) private readonly records: Store<MailTemplate>,
    private readonly templates: MailTemplatesService,
  ) {}

  @ListRoute(mailTemplateResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(mailTemplateResource)
  create(@Body() body: CreateMailTemplate): Promise<SingleResult> {
    return this.templates.create(body);
  }

  @Get('kinds')
  @ApiOperation({
    summary: 'List the kinds of mail',
    description: 'Which mails there are, the variables of each, and what each says unless a template says otherwise.',
  })
  @PageParameters()
  @ApiExtraModels(MailTemplateKind)
  @ApiOkResponse({
    description: 'A page of the kinds.',
    schema: listSchema({ $ref: getSchemaPath(MailTemplateKind) }),
  })
  async kinds(@ListQuery() params: ListParams): Promise<ListResult> {
    return plainList(params, await this.templates.kinds());
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Preview a mail',
    description:
      'The mail with examples for its variables, in the look of the workspace. Sends nothing, keeps nothing.',
  })
  @AnswerOf(MailTemplatePreview, { description: 'The mail.' })
  preview(@Body() body: PreviewMailTemplate): Promise<MailTemplatePreview> {
    return this.templates.preview(body);
  }

  @ReadRoute(mailTemplateResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(mailTemplateResource)
  update(
    @Id() id: number,
    @Body() body: UpdateMailTemplate,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.templates.update(id, body, expected);
  }

  @DeleteRoute(mailTemplateResource, { description: 'The service’s own text is used again. Answers its last state.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
