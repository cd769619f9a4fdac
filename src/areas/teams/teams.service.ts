import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Row } from '../../platform/resource/resource.service';
import { teamResource } from './team.resource';

@Injectable()
export class TeamsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(teamResource, kernel);
  }

  /** Its members stay, without it. */
  protected override async prepareRemove(team: Row): Promise<void> {
    await this.database.query(
      `UPDATE users SET team_ids = array_remove(team_ids, $2::bigint), version = version + 1, updated_at = now()
       WHERE workspace_id = $1 AND team_ids @> ARRAY[$2::bigint]`,
      [currentWorkspaceId(), team.id],
    );
  }
}
