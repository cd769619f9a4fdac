import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AlsoAnswers, AnswerOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { Import } from '../push/import.service';
import { ImportObjects } from '../push/import.dto';
import { IssueToken, ScimAccess } from '../scim/scim-token.dto';
import { ScimTokens } from '../scim/scim-tokens.service';
import { TestedConnection } from '../connections/connection.dto';
import { DirectoryChange } from './change.entity';
import { changeResource } from './change.resource';
import { ConnectionTests } from './connection-tests';
import { LatestRun, StartRun } from './run.dto';
import { DirectoryRun } from './run.entity';
import { runResource } from './run.resource';
import { RunsService } from './runs.service';

@ApiTags('Active Directory')
@Controller('active-directory')
export class RunsController {
  constructor(
    @InjectReader(DirectoryRun) private readonly records: Reader<DirectoryRun>,
    @InjectReader(DirectoryChange) private readonly changes: Reader<DirectoryChange>,
    private readonly runs: RunsService,
    private readonly imports: Import,
    private readonly tests: ConnectionTests,
    private readonly tokens: ScimTokens,
  ) {}

  @Post('connections/:id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Try a connection',
    description: 'Connects, signs in and looks for somebody. What is wrong is told in `warnings`, in one sentence.',
  })
  @AnswerOf(TestedConnection, { description: 'What came of it.' })
  test(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<TestedConnection> {
    return this.tests.run(id, expected);
  }

  @Post('connections/:id/token')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Give the client of a SCIM connection its token',
    description: 'A new one in place of the one before, for connections of the type `scim`. It is shown this once.',
  })
  @AnswerOf(ScimAccess, { description: 'What the client is set up with.' })
  issueToken(@Id() id: number, @Body() body: IssueToken, @IfMatch() expected: ExpectedVersions): Promise<ScimAccess> {
    return this.tokens.issue(id, body, expected);
  }

  @ActionRoute(runResource, 'sync', {
    summary: 'Compare a directory with the workspace',
    description:
      'In the background; the answer is the run. Where one is under way already, it is that one, and `meta.already_running` is true.',
  })
  start(@Body() body: StartRun): Promise<SingleResult> {
    return this.runs.start(body);
  }

  @ReadRoute(runResource, { path: 'sync', summary: 'Get the last run', description: '404 where there was none yet.' })
  @AlsoAnswers(404)
  latest(@Query() { connection_id }: LatestRun): Promise<SingleResult> {
    return this.runs.latest(connection_id);
  }

  @ActionRoute(runResource, 'import', {
    summary: 'Send people and groups of a directory',
    description:
      'For directories that we cannot reach. With `mode` `full` what is not sent is missing; a person who is missing in two full runs in a row loses access. ' +
      'Much of it is sent in parts: the first with `complete` false, the others with the `run_id` of its answer. A group may come in several parts, with other members in each.',
  })
  import(@Body() body: ImportObjects): Promise<SingleResult> {
    return this.imports.receive(body);
  }

  @ListRoute(runResource, { path: 'sync/runs', description: 'Kept for 90 days.' })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @ReadRoute(runResource, { path: 'sync/runs/:id' })
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @ListRoute(changeResource, {
    path: 'sync/runs/:id/changes',
    summary: 'List what a run changes',
    description: 'One row for each object that something happens to, in the order of its doing; also of dry runs.',
  })
  async listChanges(@Id() id: number, @ListQuery() params: ListParams): Promise<ListResult> {
    await this.records.require(id);
    return this.changes.list(params, { run_id: id });
  }

  @ActionRoute(runResource, 'sync/runs/:id/approve', {
    summary: 'Approve a run',
    description:
      'One by which more people would lose access than the connection allows by itself. 422 unless it waits for that.',
  })
  approve(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.runs.approve(id, expected);
  }

  @ActionRoute(runResource, 'sync/runs/:id/cancel', {
    summary: 'Stop a run',
    description: 'Nothing more is changed; what was changed stays. 422 once it is over in another way.',
  })
  cancel(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.runs.cancel(id, expected);
  }
}
