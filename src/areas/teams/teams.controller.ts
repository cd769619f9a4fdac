import { Body, Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../platform/http/answer-members';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { CreateTeam, UpdateTeam } from './team.dto';
import { Team } from './team.entity';
import { teamResource } from './team.resource';
import { TeamMetrics } from './team-metrics';
import { TeamMetricsService } from './team-metrics.service';
import { TeamsService } from './teams.service';

@ApiTags('Teams')
@Controller('teams')
export class TeamsController {
  constructor(
    @InjectStore(Team) private readonly records: Store<Team>,
    private readonly teams: TeamsService,
    private readonly figures: TeamMetricsService,
  ) {}

  @ListRoute(teamResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(teamResource)
  create(@Body() body: CreateTeam): Promise<SingleResult> {
    return this.records.create(body);
  }

  @ReadRoute(teamResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Get(':id/metrics')
  @ApiOperation({
    summary: 'Get what the members of a team have to do',
    description: 'By the tickets that the caller sees, now. What a team did is told by `/reports`.',
  })
  @AnswerOf(TeamMetrics, { description: 'Counts of tickets that are not done.' })
  metrics(@Id() id: number): Promise<TeamMetrics> {
    return this.figures.of(id);
  }

  @UpdateRoute(teamResource)
  update(@Id() id: number, @Body() body: UpdateTeam, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.update(id, body, expected);
  }

  @DeleteRoute(teamResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.remove(id, expected);
  }
}
