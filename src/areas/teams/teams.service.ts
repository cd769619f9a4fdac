import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { changeMany } from '../../platform/resource/many-changes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { Team } from './team.entity';

@Injectable()
export class TeamsService {
  constructor(
    @InjectStore(Team) private readonly teams: Store<Team>,
    private readonly database: Database,
  ) {}

  /** Its members stay, without it; whatever names it no longer does. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.teams.remove(id, expected, (team) => this.dismiss(team.id));
  }

  private async dismiss(id: number): Promise<void> {
    // What a member keeps depends on their other teams: there are few kinds of list.
    const lists = await this.database.query<{ team_ids: number[] }>(
      `SELECT DISTINCT to_jsonb(team_ids) AS team_ids FROM users WHERE workspace_id = $1 AND team_ids @> ARRAY[$2::bigint]`,
      [currentWorkspaceId(), id],
    );
    for (const { team_ids: from } of lists) {
      const to = from.filter((each) => each !== id);
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
