import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { Takeovers } from '../../../platform/resource/takeover';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { MigrationJob } from '../jobs/migration-job.entity';
import { migrationJobResource } from '../jobs/migration-job.resource';
import { MigrationJobsService } from '../jobs/migration-jobs.service';
import { catalogueOf } from '../sources/catalogue';
import { flat } from '../sources/json-records';
import { MigrationSources } from '../sources/sources.dto';
import { MigrationLog } from './migration-log.entity';
import { migrationLogResource } from './migration-log.resource';
import { MigrationRecord } from './migration-record.entity';
import { migrationRecordResource } from './migration-record.resource';
import { idIn, MigrationReport, Pushed, PushedRecords } from './records.dto';
import { MigrationReports } from './report';

@ApiTags('Migration')
@Controller('migration')
export class MigrationRecordsController {
  constructor(
    @InjectReader(MigrationRecord) private readonly records: Reader<MigrationRecord>,
    @InjectReader(MigrationLog) private readonly lines: Reader<MigrationLog>,
    @InjectReader(MigrationJob) private readonly known: Reader<MigrationJob>,
    private readonly jobs: MigrationJobsService,
    private readonly reports: MigrationReports,
    private readonly takeovers: Takeovers,
  ) {}

  @Get('sources')
  @ApiOperation({
    summary: 'List the sources of migrations',
    description: 'Where records can come from, and what they can become.',
  })
  @AnswerOf(MigrationSources, { description: 'Sources, and the fields of each entity.' })
  sources(): MigrationSources {
    return catalogueOf(this.takeovers);
  }

  @ListRoute(migrationRecordResource, {
    path: 'jobs/:id/records',
    description: 'What became of each record of the source.',
  })
  async list(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    await this.known.require(id);
    return this.records.list(params, { job_id: id });
  }

  @Post('jobs/:id/records')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Push records of a migration',
    description:
      'At most 500 at a time, to a job of the source `api`. Each is known by its id: one that is pushed again takes the place of what waits, and one that has come in is passed over.',
  })
  @AnswerOf(Pushed, { description: 'How many wait now.' })
  push(@Id() id: number, @Body() { entity, records }: PushedRecords): Promise<Pushed> {
    const pushed = new Map(records.map((record) => [idIn(record) ?? '', flat(record)]));
    return this.jobs.push(
      id,
      entity,
      [...pushed].map(([external_id, payload]) => ({ external_id, payload })),
    );
  }

  @ReadRoute(migrationRecordResource, { path: 'jobs/:id/records/:rid' })
  read(@Id() id: number, @Id('rid') recordId: number): Promise<SingleResult> {
    return this.records.read(recordId, { job_id: id });
  }

  @ActionRoute(migrationJobResource, 'jobs/:id/records/:rid/retry', { summary: 'Try one record again' })
  async retry(
    @Id() id: number,
    @Id('rid') recordId: number,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    await this.records.read(recordId, { job_id: id });
    await this.records.require(recordId, expected);
    return this.jobs.retry(id, null, recordId);
  }

  @ListRoute(migrationLogResource, { path: 'jobs/:id/logs', description: 'Oldest first.' })
  async logs(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    await this.known.require(id);
    return this.lines.list(params, { job_id: id });
  }

  @Get('jobs/:id/report')
  @ApiOperation({ summary: 'Compare the source with what is here', description: 'Counted now, on both sides.' })
  @AnswerOf(MigrationReport, { description: 'By entity.' })
  report(@Id() id: number): Promise<MigrationReport> {
    return this.reports.of(id);
  }
}
