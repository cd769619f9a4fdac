import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
} from '../../platform/resource/routes';
import { CreateTeam, UpdateTeam } from './team.dto';
import { teamResource } from './team.resource';
import { TeamsService } from './teams.service';

@ApiTags('Teams')
@Controller('teams')
export class TeamsController {
  constructor(private readonly teams: TeamsService) {}

  @ListRoute(teamResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.teams.list(params);
  }

  @CreateRoute(teamResource)
  create(@Body() body: CreateTeam): Promise<SingleResult> {
    return this.teams.create(body);
  }

  @ReadRoute(teamResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.teams.read(id);
  }

  @UpdateRoute(teamResource)
  update(@Id() id: number, @Body() body: UpdateTeam, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.update(id, body, expected);
  }

  @DeleteRoute(teamResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.remove(id, expected);
  }
}
