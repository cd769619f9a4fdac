import { Body, Controller, Get, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AnswerOf, dataOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult, StreamResult } from '../../../platform/http/results';
import { asksForStream, EVENT_STREAM, streamAnswer } from '../../../platform/http/streams/event-stream';
import { TestResult } from '../../../platform/outbound/test-result';
import { Upload } from '../../../platform/http/upload/upload';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { FileQuery } from '../files/file.dto';
import { MAX_FILE_BYTES } from '../files/inspected';
import { type FileReceipt, MigrationReceiving, ReceivedFiles } from '../files/receiving';
import { ServiceTests } from '../services/service-tests';
import { JobProgress, JobWatching, MAX_PER_TOKEN } from './job-watching';
import { CreateMigrationJob, UpdateMigrationJob } from './migration-job.dto';
import { MigrationJob } from './migration-job.entity';
import { migrationJobResource } from './migration-job.resource';
import { MigrationJobsService } from './migration-jobs.service';

const WITHIN_SECONDS = 3_600;

@ApiTags('Migration')
@Controller('migration/jobs')
export class MigrationJobsController {
  constructor(
    @InjectReader(MigrationJob) private readonly records: Reader<MigrationJob>,
    private readonly jobs: MigrationJobsService,
    private readonly watching: JobWatching,
    private readonly tests: ServiceTests,
  ) {}

  @ListRoute(migrationJobResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(migrationJobResource, {
    summary: 'Plan a migration',
    description:
      'Brings records of another system in. Send its files (`POST …/files`) or push its records, let it be validated, look at what is proposed, ' +
      'change the mapping, set `mode` to `import`, and start it. 409 where the workspace has twenty that are not over; 403 for users whose ticket scope is not `all`.',
  })
  create(@Body() body: CreateMigrationJob): Promise<SingleResult> {
    return this.jobs.create(body);
  }

  @ReadRoute(migrationJobResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(migrationJobResource, {
    description:
      'Of a job that is not running. Another mapping, other options or entities have to be validated again, unless it is paused.',
  })
  update(
    @Id() id: number,
    @Body() body: UpdateMigrationJob,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.jobs.update(id, body, expected);
  }

  @DeleteRoute(migrationJobResource, { description: 'What came in stays; it cannot be rolled back any more.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.remove(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/files', {
    summary: 'Send a file of a migration',
    description:
      'A form with one file, or the file itself: the records of one entity, or an archive with all of them. It takes the place of the one that was there. Up to 2 GB as it is sent, and 8 GB unpacked.',
  })
  @ApiHeader({
    name: 'Content-Disposition',
    required: false,
    description: 'Name of a file that is the whole body.',
    schema: { type: 'string', example: "attachment; filename*=UTF-8''tickets.csv" },
  })
  @Upload({
    maxBytes: MAX_FILE_BYTES / 4,
    withinSeconds: WITHIN_SECONDS,
    types: ['multipart/form-data', '*/*'],
    maxFields: 1,
  })
  @UseGuards(MigrationReceiving)
  file(
    @Id() id: number,
    @Query() _query: FileQuery,
    @ReceivedFiles() receipt: FileReceipt,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.jobs.keep(id, receipt, expected);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Try the connection of a migration',
    description: 'Asked at once and only once: whether the service lets us in. 422 for jobs whose records are sent.',
  })
  @AnswerOf(TestResult, { description: 'How it went.' })
  test(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<TestResult> {
    return this.tests.run(id, expected);
  }

  @Get(':id/progress')
  @ApiOperation({
    summary: 'Get how far a migration is',
    description:
      `With \`Accept: ${EVENT_STREAM}\` it goes on until the job is at rest: an event \`progress\` now and whenever it has moved on, and \`end\` at last. ` +
      `A stream ends after five minutes, to be opened again; a token has at most ${MAX_PER_TOKEN}.`,
  })
  @ApiExtraModels(JobProgress)
  @ApiResponse({
    status: 200,
    description: 'How far it is; of a stream, now and from then on.',
    content: { 'application/json': { schema: dataOf(JobProgress) }, [EVENT_STREAM]: { schema: { type: 'string' } } },
  })
  async progress(@Id() id: number, @Req() request: FastifyRequest): Promise<JobProgress | StreamResult> {
    return asksForStream(request) ? streamAnswer(await this.watching.watch(id)) : this.watching.now(id);
  }

  @ActionRoute(migrationJobResource, ':id/validate', {
    summary: 'Validate a migration',
    description:
      'Looks at every record and writes nothing: proposes what becomes of each field, and tells which values have no place here and what is wrong. ' +
      'It is done in the background; `migration.job_validated` tells of its end.',
  })
  validate(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.validate(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/start', {
    summary: 'Start a migration',
    description:
      'Of a job that is `ready` and whose mode is `import`. A job of the mode `dry_run` is 422: it only looks.',
  })
  start(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.start(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/pause', {
    summary: 'Pause a migration',
    description: 'The page that is under way is done. One that is paused stays as it is.',
  })
  pause(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.pause(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/resume', {
    summary: 'Resume a migration',
    description: 'It goes on where it was, with the mapping that it has by now.',
  })
  resume(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.resume(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/cancel', {
    summary: 'Cancel a migration',
    description: 'No further record comes. Those that came stay, and can be rolled back.',
  })
  cancel(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.cancel(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/retry-failed', {
    summary: 'Try again what failed',
    description: 'Each record that failed has another turn, with the mapping that the job has by now.',
  })
  retry(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.retry(id, expected);
  }

  @ActionRoute(migrationJobResource, ':id/rollback', {
    summary: 'Roll a migration back',
    description:
      'Within 30 days of its end. What it made goes as if it had never come; what somebody has changed since, or another record names, stays, and the log says how much.',
  })
  rollback(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.rollback(id, expected);
  }
}
