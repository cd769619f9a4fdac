import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { unlinkFromLists } from '../../platform/resource/many-changes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { UsersService } from '../users/users.service';
import { Team } from './team.entity';

@Injectable()
export class TeamsService {
  constructor(
    @InjectStore(Team) private readonly teams: Store<Team>,
    private readonly users: UsersService,
    private readonly database: Database,
  ) {}

  /** Makes a user a member; who is one stays one. 404 for a team or a user that is not there. */
  async join(id: number, userId: number, expected: ExpectedVersions): Promise<SingleResult> {
    await this.teams.require(id);
    return this.users.changeTeams(userId, expected, (teams) => [...teams, id]);
  }

  /** Takes a user out of the team; who is no member is none. 404 for a team or a user that is not there. */
  async leave(id: number, userId: number, expected: ExpectedVersions): Promise<SingleResult> {
    await this.teams.require(id);
    return this.users.changeTeams(userId, expected, (teams) => teams.filter((team) => team !== id));
  }

  /** Its members stay, without it; whatever names it no longer does. What was shared with it alone is shared with no team. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.remove(id, expected, (team) => unlinkFromLists(this.database, 'teams', team.id));
  }
}
