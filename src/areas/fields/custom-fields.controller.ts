import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AlsoAnswers } from '../../platform/http/answer-members';
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
import { CreateCustomField, UpdateCustomField } from './custom-field.dto';
import { CustomField } from './custom-field.entity';
import { customFieldResource } from './custom-field.resource';
import { CustomFieldsService } from './custom-fields.service';

@ApiTags('Custom fields')
@Controller('custom-fields')
export class CustomFieldsController {
  constructor(
    @InjectStore(CustomField) private readonly records: Store<CustomField>,
    private readonly fields: CustomFieldsService,
  ) {}

  @ListRoute(customFieldResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(customFieldResource, {
    summary: 'Define a custom field',
    description:
      'From then on values are checked, and lists filter and sort by `custom_fields.<key>`. Keys that nobody defines go on taking anything.',
  })
  create(@Body() body: CreateCustomField): Promise<SingleResult> {
    return this.fields.create(body);
  }

  @ReadRoute(customFieldResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(customFieldResource, {
    description:
      'Only what the body names changes. It binds what is written from then on: values that records have stay. 409 for options that are left out ' +
      'while records have them.',
  })
  @AlsoAnswers(409)
  update(
    @Id() id: number,
    @Body() body: UpdateCustomField,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.fields.update(id, body, expected);
  }

  @DeleteRoute(customFieldResource, {
    description: 'Answers its last state. Values stay where they are, as those of a key that nobody has defined.',
  })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.fields.remove(id, expected);
  }
}
