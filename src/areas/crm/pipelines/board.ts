import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import type { DealStatus } from '../crm-values';

/** A stage, as far as the rules of deals look at it. */
export interface BoardStage {
  id: number;
  pipeline_id: number;
  name: string;
  type: DealStatus;
  position: number;
  probability: number;
  rotten_days: number | null;
}

/** A pipeline with its stages in order. */
export interface BoardPipeline {
  id: number;
  is_default: boolean;
  is_active: boolean;
  currency: string | null;
  stages: readonly BoardStage[];
}

export type Board = readonly BoardPipeline[];

/** What the board is asked for: besides the default pipeline, the named ones and those of the named stages. */
export interface BoardWish {
  pipelines: readonly (number | undefined)[];
  stages: readonly (number | undefined)[];
}

/**
 * The pipelines that a change may have to do with, and the present moment (ISO 8601) by the database's clock. Inside a unit
 * of work that keeps the pipelines as they are.
 */
export async function readBoard(database: Database, wish: BoardWish): Promise<{ board: Board; now: string }> {
  const given = (ids: readonly (number | undefined)[]): number[] => ids.filter((id) => id !== undefined);
  const text = `
    SELECT to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now, (SELECT coalesce(json_agg(b), '[]'::json) FROM (
      SELECT p.id, p.is_default, p.is_active, p.currency, (SELECT coalesce(json_agg(e ORDER BY e.position, e.id), '[]'::json) FROM (
        SELECT s.id, s.pipeline_id, s.name, s.type, s.position, s.probability, s.rotten_days
        FROM stages s WHERE s.workspace_id = $1 AND s.pipeline_id = p.id) e) AS stages
      FROM pipelines p WHERE p.workspace_id = $1 AND (p.is_default OR p.id = ANY($2::bigint[])
        OR p.id IN (SELECT x.pipeline_id FROM stages x WHERE x.workspace_id = $1 AND x.id = ANY($3::bigint[])))) b) AS board`;
  const values = [currentWorkspaceId(), given(wish.pipelines), given(wish.stages)];
  const [found] = await database.read<{ board: Board; now: string }>({ text, values });
  if (!found) throw new Error('A moment is one row.');
  return found;
}

/** The stage with that id, or undefined. */
export function stageOf(board: Board, id: number): BoardStage | undefined {
  return board.flatMap(({ stages }) => stages).find((stage) => stage.id === id);
}

/** The first stage of that type; every pipeline has one of each. */
export function firstStage(pipeline: BoardPipeline, type: DealStatus): BoardStage {
  const stage = pipeline.stages.find((item) => item.type === type);
  if (!stage) throw new Error(`Pipeline ${pipeline.id} has no ${type} stage.`);
  return stage;
}
