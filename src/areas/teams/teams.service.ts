import { Injectable } from '@nestjs/common';
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
    await changeMany(this.database, {
      resource: 'users',
      condition: (bind) => `m.team_ids @> ARRAY[${bind(id)}::bigint]`,
      expressions: { team_ids: (bind) => `array_remove(m.team_ids, ${bind(id)}::bigint)` },
      events: ['user.updated'],
    });
  }
}
