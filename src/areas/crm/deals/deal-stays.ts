import { current, currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import type { Changes } from '../../../platform/events/event-rows';
import { changeMany } from '../../../platform/resource/many-changes';
import type { Alongside } from '../../../platform/resource/write-plan';
import type { Values } from '../../../platform/resource/rows';
import type { BoardStage } from '../pipelines/board';
import { stepBehind } from './deal-board';
import { rotsAt } from './deal-place';
import type { Deal } from './deal.entity';

/** Rows for the history of a deal that is being written: its stay in `from` ends, one in `to` begins. */
export function newStay(from: BoardStage | null, to: BoardStage, at: string): Alongside {
  return (bind) => {
    const [moment, target] = [`${bind(at)}::timestamptz`, `${bind(to.id)}::bigint`];
    const origin = `${bind(from?.id ?? null)}::bigint, ${bind(from?.name ?? null)}::text`;
    return (
      `left_stay AS (UPDATE deal_stage_changes h SET left_at = greatest(${moment}, h.created_at), next_stage_id = ${target} ` +
      `FROM t WHERE h.workspace_id = $1 AND h.deal_id = t.id AND h.left_at IS NULL), ` +
      `new_stay AS (INSERT INTO deal_stage_changes (workspace_id, deal_id, from_stage_id, from_stage_name, to_stage_id, to_stage_name, actor, created_at) ` +
      `SELECT $1, t.id, ${origin}, ${target}, ${bind(to.name)}::text, ${bind(JSON.stringify(current().actor))}::jsonb, ${moment} FROM t)`
    );
  };
}

/**
 * Moves all deals of a stage that is about to go into another of the same type, behind the deals that are there, with their history and events. The
 * pipelines must be held, so that no deal moves meanwhile. Answers how many.
 */
export async function moveDeals(database: Database, from: BoardStage, to: BoardStage, now: string): Promise<number> {
  const stay = [currentWorkspaceId(), from.id, from.name, to.id, to.name, JSON.stringify(current().actor), now];
  await database.query(
    `WITH ended AS (
       UPDATE deal_stage_changes h SET left_at = greatest($7::timestamptz, h.created_at), next_stage_id = $4
       FROM deals d WHERE d.workspace_id = $1 AND d.stage_id = $2 AND h.workspace_id = $1 AND h.deal_id = d.id AND h.left_at IS NULL
     )
     INSERT INTO deal_stage_changes (workspace_id, deal_id, from_stage_id, from_stage_name, to_stage_id, to_stage_name, actor, created_at)
     SELECT $1, d.id, $2, $3, $4, $5, $6::jsonb, $7 FROM deals d WHERE d.workspace_id = $1 AND d.stage_id = $2`,
    stay,
  );
  const step = await stepBehind(database, from.id, to.id);
  const staysOpen = to.type === 'open';
  const place: Values<Deal> = { pipeline_id: to.pipeline_id, stage_id: to.id };
  place.open_stage_id = staysOpen ? to.id : null;
  place.rots_at = staysOpen && to.rotten_days !== null ? rotsAt(now, to.rotten_days) : null;
  const changes: Changes = { stage_id: { from: from.id, to: to.id } };
  if (from.pipeline_id !== to.pipeline_id) changes.pipeline_id = { from: from.pipeline_id, to: to.pipeline_id };
  const move = (condition: string, values: Values<Deal>, changed: Changes): Promise<number> =>
    changeMany(database, {
      resource: 'deals',
      condition: (bind) => `m.stage_id = ${bind(from.id)} AND ${condition}`,
      values,
      expressions: {
        stage_changed_at: (bind) => `${bind(now)}::timestamptz`,
        ...(step === 0 ? {} : { position: (bind) => `m.position + ${bind(step)}::bigint` }),
      },
      events: ['deal.updated', 'deal.stage_changed'],
      changes: changed,
    });
  const follows = staysOpen && from.probability !== to.probability;
  const following = await move(
    staysOpen ? 'm.own_probability IS NULL' : 'true',
    follows ? { ...place, probability: to.probability } : place,
    follows ? { ...changes, probability: { from: from.probability, to: to.probability } } : changes,
  );
  return following + (staysOpen ? await move('m.own_probability IS NOT NULL', place, changes) : 0);
}
