import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../platform/auth/permission';
import { Id } from '../../platform/http/id';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { DeleteRoute, IfMatch, PutRoute } from '../../platform/routes/routes';
import { userResource } from '../users/user.resource';
import { TeamsService } from './teams.service';

/** Who is a member of a team is said of the user (`team_ids`); here one at a time, whatever else somebody changes of them meanwhile. */
@ApiTags('Teams')
@Controller('teams/:id/members')
export class TeamMembersController {
  constructor(private readonly teams: TeamsService) {}

  @Needs('users.update')
  @PutRoute(userResource, ':user_id', {
    summary: 'Make a user a member of a team',
    description: 'Answers the user. Who is a member already stays one, and nothing changes.',
  })
  join(@Id() id: number, @Id('user_id') userId: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.join(id, userId, expected);
  }

  @Needs('users.update')
  @DeleteRoute(userResource, {
    path: ':user_id',
    summary: 'Take a user out of a team',
    description: 'Answers the user. Tickets stay with who has them; who is no member is none, and nothing changes.',
  })
  leave(@Id() id: number, @Id('user_id') userId: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.leave(id, userId, expected);
  }
}
