import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { clockMs } from '../../../platform/context/clock';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { currentSight } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import { SharedReads } from '../../../platform/database/shared-reads';
import { invalid } from '../../../platform/errors/api-error';
import { statsAnswer } from './stats-answer';
import type { Stats } from './stats-shape';
import { type Counts, MEASURES } from './stats-measures';
import { limitedQuery, type StatsParameters, statsQuery } from './stats-query';
import { statsStatement } from './stats-statement';

/** Planning the statement costs more than executing it, and no parameter changes its plan. */
const GENERIC = { text: `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)` };

/** What a workspace's tickets come to: product reference 1.19. Exact after every commit, in one round trip. */
@Injectable()
export class StatsService {
  constructor(
    private readonly database: Database,
    private readonly shared: SharedReads,
  ) {}

  async of(parameters: StatsParameters): Promise<Stats> {
    const { workspace } = currentAccess();
    const query = limitedQuery(statsQuery(parameters, clockMs()), currentSight());
    const today = DateTime.fromMillis(clockMs()).setZone(workspace.timezone).startOf('day').toMillis();
    const statement = statsStatement(currentWorkspaceId(), query, today);
    const { rows } = await this.shared.of(statement, () =>
      this.database.transaction(() => this.database.batch({ generic: GENERIC, rows: statement }, true)),
    );
    const [row] = rows;
    if (!row) throw new Error('Statistics are one row.');
    if (!row.has_team) invalid('team_id', 'not_found', `There is no team ${query.team ?? ''}.`);
    if (!row.has_user) invalid('assigned_to', 'not_found', `There is no user ${query.assignee ?? ''}.`);
    return statsAnswer({
      counts: added([...row.of_window, row.of_now, row.recent, row.corrections]),
      createdToday: row.created_today,
      resolvedToday: row.resolved_today,
      backlogHours: row.backlog_hours,
      firstResponse: row.first_response,
      resolution: row.resolution,
      resources: row.resources,
    });
  }
}

function added(parts: readonly Counts[]): Counts {
  return Object.fromEntries(
    MEASURES.map((name) => [name, parts.reduce((total, part) => total + (part[name] ?? 0), 0)]),
  );
}
