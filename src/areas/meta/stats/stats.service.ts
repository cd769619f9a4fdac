import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { ownJson } from '../../../platform/text/json';
import { statsAnswer } from './stats-answer';
import type { Stats } from './stats-shape';
import { type Counts, MEASURES } from './stats-measures';
import { type StatsParameters, type StatsQuery, statsQuery } from './stats-query';
import { statsStatement } from './stats-statement';

/** Planning the statement costs more than executing it, and no parameter changes its plan. */
const GENERIC = { text: `SELECT set_config('plan_cache_mode', 'force_generic_plan', true)` };

/** What a workspace's tickets come to: product reference 1.19. Exact after every commit, in one round trip. */
@Injectable()
export class StatsService {
  constructor(private readonly database: Database) {}

  async of(parameters: StatsParameters): Promise<Stats> {
    const { workspace } = currentAccess();
    const query = statsQuery(parameters, Date.now());
    const today = DateTime.now().setZone(workspace.timezone).startOf('day').toMillis();
    const statement = statsStatement(currentWorkspaceId(), query, today);
    const [, rows] = await this.database.transaction(() => this.database.batch([GENERIC, statement], true));
    const row = rows?.[0] ?? [];
    requireKnown(query, row);
    const [, , days, recent, corrections, createdToday, resolvedToday, backlog, firstResponse, resolution, resources] =
      row;
    return statsAnswer({
      counts: added([days, recent, corrections].map((text) => ownJson<Counts>(text ?? '{}'))),
      createdToday: Number(createdToday),
      resolvedToday: Number(resolvedToday),
      backlogHours: backlog === null || backlog === undefined ? null : Number(backlog),
      firstResponse: ownJson(firstResponse ?? 'null'),
      resolution: ownJson(resolution ?? 'null'),
      resources: ownJson(resources ?? '{}'),
    });
  }
}

function requireKnown({ team, assignee }: StatsQuery, [hasTeam, hasUser]: readonly (string | null)[]): void {
  if (hasTeam !== 't') invalid('team_id', 'not_found', `There is no team ${team ?? ''}.`);
  if (hasUser !== 't') invalid('assigned_to', 'not_found', `There is no user ${assignee ?? ''}.`);
}

function added(parts: readonly Counts[]): Counts {
  return Object.fromEntries(
    MEASURES.map((name) => [name, parts.reduce((total, part) => total + (part[name] ?? 0), 0)]),
  );
}
