import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { demand } from '../../platform/context/demand';
import { AlsoAnswers, AnswerOf } from '../../platform/http/answer-members';
import { ServesFiles } from '../../platform/http/download/serves-files';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult, StreamResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
} from '../../platform/routes/routes';
import { ExportDownloads } from './export-downloads';
import { CreateExport, ExportLink } from './export.dto';
import { Export } from './export.entity';
import { exportResource } from './export.resource';
import { ExportsService } from './exports.service';
import { requireWholeSight } from './whole-sight';

@ApiTags('Exports')
@Controller('exports')
export class ExportsController {
  constructor(
    @InjectReader(Export) private readonly records: Reader<Export>,
    private readonly exports: ExportsService,
    private readonly downloads: ExportDownloads,
  ) {}

  @ListRoute(exportResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(exportResource, {
    summary: 'Export the workspace',
    description:
      'Everything of the workspace, or of the resources that are named, as one archive (`.tar.gz`): a folder of NDJSON files for each ' +
      'resource, the files themselves, lists of checksums and a manifest. It is made in the background, one at a time, and kept for ' +
      'seven days; `export.completed` tells of its end. Each record is as it is when its turn comes. 409 where the ' +
      'workspace has five already; 403 for users whose ticket scope is not `all`, as for its archive.',
  })
  create(@Body() body: CreateExport): Promise<SingleResult> {
    return this.exports.create(body);
  }

  @ReadRoute(exportResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @DeleteRoute(exportResource, { description: 'Its archive goes with it, and links to it open nothing any more.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.exports.remove(id, expected);
  }

  @ActionRoute(exportResource, ':id/cancel', {
    summary: 'Stop an export',
    description: 'What was made of it goes. One that is over stays as it is.',
  })
  cancel(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.exports.cancel(id, expected);
  }

  @Post(':id/link')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a link to an archive',
    description:
      'It opens the archive for a day, without a token; so it takes what the archive takes, the scope `read` included.',
  })
  @AnswerOf(ExportLink, { description: 'The link.' })
  async link(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<ExportLink> {
    // Who has the link may read.
    demand('exports.read');
    requireWholeSight();
    await this.records.require(id, expected);
    return this.downloads.linkTo(id);
  }

  @Get(':id/download')
  @ApiOperation({
    summary: 'Download an archive',
    description:
      'The bytes, or those that `Range` names: what broke off goes on from there. 409 while it is not complete.',
  })
  @ApiHeader({ name: 'Range', required: false, schema: { type: 'string' }, description: '`bytes=1048576-`' })
  @ApiHeader({ name: 'If-Range', required: false, schema: { type: 'string' }, description: 'ETag of the archive.' })
  @ServesFiles('The archive.', 'application/gzip')
  @AlsoAnswers(409)
  download(@Id() id: number, @Req() request: FastifyRequest): Promise<StreamResult> {
    requireWholeSight();
    return this.downloads.answer(id, request);
  }
}
