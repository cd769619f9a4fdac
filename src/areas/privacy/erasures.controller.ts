import { Controller, Get, HttpCode, Post, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { demandWholeSight } from '../../platform/context/demand';
import { Id } from '../../platform/http/id';
import { location } from '../../platform/http/openapi-components';
import type { ListResult, SingleResult, StreamResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import { Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { IfMatch, ListQuery, ListRoute, ReadRoute, ROUTE_RESOURCE } from '../../platform/routes/routes';
import { answerSchema } from '../../platform/routes/schema-names';
import { ContactExport } from './contact-export';
import { Erasure } from './erasure.entity';
import { erasureResource } from './erasure.resource';
import { ErasuresService } from './erasures.service';

@ApiTags('Privacy')
@Controller('contacts')
export class ContactErasureController {
  constructor(
    private readonly erasures: ErasuresService,
    private readonly exports: ContactExport,
  ) {}

  @Get(':id/export')
  @Needs('contact-exports.read')
  @ApiOperation({
    summary: 'Export what is kept of a contact',
    description:
      'The contact, their tickets with public comments and ratings, files (as records), leads, deals, quotes, meetings, feedback and mail: one JSON object a line, `kind` and `record`, as it is read. Internal notes, and copies of the same texts in logs and events, are not among them. 403 for users whose ticket scope is not `all`.',
  })
  @ApiResponse({
    status: 200,
    description: 'Lines of JSON.',
    content: { 'application/x-ndjson': { schema: { type: 'string' } } },
  })
  export(@Id() id: number): Promise<StreamResult> {
    demandWholeSight('It holds every ticket of the contact; only those whose ticket scope is "all" may have it.');
    return this.exports.of(id);
  }

  @Post(':id/erase')
  @HttpCode(202)
  @Needs('contacts.erase')
  @SetMetadata(ROUTE_RESOURCE, erasureResource)
  @ApiExtraModels(Erasure)
  @ApiOperation({
    summary: 'Erase a contact',
    description:
      'Names, addresses, numbers and texts of the person are replaced wherever they are kept: tickets, comments, events, audit, mail, logs and searches. Ids, times, statuses and counts stay. The record loses them at once, a job does the rest; `GET /erasures/{id}` tells how far it is. There is no way back. Asking again answers the same erasure.',
  })
  @ApiResponse({
    status: 202,
    description: 'The erasure, which goes on.',
    schema: answerSchema(erasureResource),
    headers: location,
  })
  erase(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.erasures.erase(id, expected);
  }
}

@ApiTags('Privacy')
@Controller('erasures')
export class ErasuresController {
  constructor(@InjectReader(Erasure) private readonly records: Reader<Erasure>) {}

  @ListRoute(erasureResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @ReadRoute(erasureResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }
}
