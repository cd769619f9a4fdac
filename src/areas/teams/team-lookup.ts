import type { Database } from '../../platform/database/database';
import { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { Team } from './team.entity';

/** SQL of who leads a team, column `id`; `$1` is the workspace. */
export function teamLead(id: string): string {
  return `SELECT lead_user_id AS id FROM teams WHERE workspace_id = $1 AND id = ${id}`;
}

/**
 * SQL of how a team gives its tickets to its members (`TeamAssignment`), as JSON; NULL of one that is not active. `$1` is the
 * workspace.
 *
 * @param id SQL of the team's id
 */
export function teamAssignment(id: string): string {
  return `(SELECT assignment FROM teams WHERE workspace_id = $1 AND id = ${id} AND is_active)`;
}

/** SQL of the teams, of all workspaces, that leave no ticket alone for longer than `minutes`: `workspace_id`, `id`, `minutes`. */
export const WATCHFUL_TEAMS = `SELECT workspace_id, id, (assignment ->> 'unassigned_after_minutes')::integer AS minutes FROM teams
  WHERE is_active AND assignment ->> 'unassigned_after_minutes' IS NOT NULL`;

/** SQL of the name of a team, column `name`; `$1` is the workspace. */
export function teamName(id: string): string {
  return `SELECT name FROM teams WHERE workspace_id = $1 AND id = ${id}`;
}

/** SQL of what stands below mail of a team, column `signature`; `$1` is the workspace. */
export function teamSignature(id: string): string {
  return `SELECT signature FROM teams WHERE workspace_id = $1 AND id = ${id}`;
}

/** Ids of all teams. Inside a unit of work. */
export async function allTeamIds(database: Database): Promise<number[]> {
  const rows = await new WorkspaceRepository(database, Team).find({ select: { id: true } });
  return rows.map(({ id }) => id);
}
