import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { changeMany } from '../../platform/resource/many-changes';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Row } from '../../platform/resource/resource.service';
import { teamResource } from './team.resource';

@Injectable()
export class TeamsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(teamResource, kernel);
  }

  /** Its members stay, without it; whatever names it no longer does. */
  protected override async prepareRemove(team: Row): Promise<void> {
    // What a member keeps depends on their other teams: there are few kinds of list.
    const lists = await this.database.query<{ team_ids: number[] }>(
      `SELECT DISTINCT to_jsonb(team_ids) AS team_ids FROM users WHERE workspace_id = $1 AND team_ids @> ARRAY[$2::bigint]`,
      [currentWorkspaceId(), team.id],
    );
    for (const { team_ids: from } of lists) {
      const to = from.filter((id) => id !== team.id);
      await changeMany(this.database, {
        resource: 'users',
        condition: (bind) => `m.team_ids = ${bind(from)}::bigint[]`,
        values: { team_ids: to },
        events: ['user.updated'],
        changes: { team_ids: { from, to } },
      });
    }
  }
}
