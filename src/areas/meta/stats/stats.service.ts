import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { currentAccess, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/http/errors';
import { type Stats, statsAnswer } from './stats-answer';
import { type Counts, MEASURES } from './stats-measures';
import { type StatsQuery, statsQuery } from './stats-query';
import { statsStatement } from './stats-statement';

/** What a workspace's tickets come to: product reference 1.19. Exact after every commit, in one round trip. */
@Injectable()
export class StatsService {
  constructor(private readonly database: Database) {}

  async of(parameters: Readonly<Record<string, unknown>>): Promise<Stats> {
    const { token, workspace } = currentAccess();
    const query = statsQuery(parameters, token.user_id, Date.now());
    const today = DateTime.now().setZone(workspace.timezone).startOf('day').toUTC().toISO() ?? new Date().toISOString();
    const [row = []] = await this.database.read(statsStatement(currentWorkspaceId(), query, today));
    requireKnown(query, row);
    const [, , days, recent, corrections, createdToday, resolvedToday, backlog, firstResponse, resolution, resources] =
      row;
    return statsAnswer({
      counts: added([days, recent, corrections].map((text) => JSON.parse(text ?? '{}') as Counts)),
      createdToday: Number(createdToday),
      resolvedToday: Number(resolvedToday),
      backlogHours: backlog === null || backlog === undefined ? null : Number(backlog),
      firstResponse: JSON.parse(firstResponse ?? 'null') as number[] | null,
      resolution: JSON.parse(resolution ?? 'null') as number[] | null,
      resources: JSON.parse(resources ?? '{}') as Record<string, number>,
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
