import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { InjectReader } from '../../../platform/resource/store.module';
import { LeadConversion } from './lead-conversion.service';
import { ConvertLead, CreateLead, UpdateLead } from './lead.dto';
import { Lead } from './lead.entity';
import { leadResource } from './lead.resource';
import { ConvertedLead } from './lead-conversion.answer';
import { LeadsService } from './leads.service';
import { AnswerOf } from '../../../platform/http/answer-members';

@ApiTags('CRM')
@Controller('crm/leads')
export class LeadsController {
  constructor(
    @InjectReader(Lead) private readonly records: Reader<Lead>,
    private readonly leads: LeadsService,
    private readonly conversion: LeadConversion,
  ) {}

  @ListRoute(leadResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(leadResource)
  create(@Body() body: CreateLead): Promise<SingleResult> {
    return this.leads.create(body);
  }

  @ReadRoute(leadResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(leadResource, {
    description:
      'A lead moves forward, also past a state; to `unqualified` (with `lost_reason`) or `junk`; from those back to `new`.',
  })
  update(@Id() id: number, @Body() body: UpdateLead, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.leads.update(id, body, expected);
  }

  @DeleteRoute(leadResource, { description: 'The deal that the lead became stays.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.leads.remove(id, expected);
  }

  @Post(':id/convert')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a deal of a lead',
    description:
      'In one step, all or nothing: the deal, and the company and contact, found or created. The contact is found by e-mail; the company by name, case aside, or by the mail domain.',
  })
  @ApiHeader({ name: 'Idempotency-Key', required: false, description: 'Repeating the request answers the same.' })
  @ApiHeader({ name: 'If-Match', required: false, description: 'ETag of the lead that the conversion is based on.' })
  @AnswerOf(ConvertedLead, { description: 'All four records.' })
  convert(@Id() id: number, @Body() body: ConvertLead, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.conversion.convert(id, body, expected);
  }
}
