import { saidIn } from '../../../platform/columns/not-blank';
import { fail, invalid } from '../../../platform/errors/api-error';
import { requireTransition } from '../../../platform/state/transitions';
import type { DealStatus } from '../crm-values';
import { type Board, type BoardPipeline, type BoardStage, firstStage, stageOf } from '../pipelines/board';
import { dealTransitions } from './deal-states';

/** Where a deal is, and what hangs on that. Timestamps are ISO 8601. */
export interface DealPlace {
  pipeline_id: number;
  stage_id: number;
  status: DealStatus;
  probability: number;
  own_probability: number | null;
  open_stage_id: number | null;
  first_won_at: string | null;
  lost_reason: string | null;
}

/** What of a body has to do with the place; what repeats the present state asks for nothing. */
export interface PlaceWish {
  pipeline_id?: number | undefined;
  stage_id?: number | undefined;
  status?: DealStatus | undefined;
  probability?: number | undefined;
  lost_reason?: string | null | undefined;
}

/** A decided place: the values to store, the move (`from` null for a new deal) if there is one, further events. */
export interface Placement {
  values: Partial<DealPlace> & Readonly<Record<string, unknown>>;
  to: BoardStage;
  move: { from: BoardStage | null; to: BoardStage } | null;
  events: string[];
}

const DAY_MS = 86_400_000;

/**
 * The rules of product reference 1.15 and 2.5 for one change of a deal (`before` null: a new one). Whatever is asked for, in the
 * result the stage belongs to the pipeline, its type is the status, a lost deal has a reason, and the probability is that
 * of the stage unless an open deal has one of its own. Refuses (422) what contradicts itself or is no transition.
 *
 * @param board the pipelines concerned: the deal's, the named ones, the default one
 * @param now ISO 8601
 */
export function placeDeal(before: DealPlace | null, wish: PlaceWish, board: Board, now: string): Placement {
  const to = destination(before, wish, board);
  const moves = to.id !== before?.stage_id;
  if (before && moves) requireMove(before, wish, to);
  if (to.pipeline_id !== before?.pipeline_id) requireActive(wish, pipelineOf(board, to.pipeline_id));
  const from = before ? (stageOf(board, before.stage_id) ?? null) : null;
  const own = ownProbability(before, wish, to);
  return {
    values: {
      pipeline_id: to.pipeline_id,
      stage_id: to.id,
      status: to.type,
      own_probability: own,
      probability: to.type === 'open' ? (own ?? to.probability) : to.probability,
      lost_reason: lostReason(before, wish, to.type),
      ...(moves ? arrival(before, to, now) : {}),
      ...(to.type === before?.status ? {} : closing(before, to.type, now)),
    },
    to,
    move: moves ? { from, to } : null,
    events: [...(before && moves ? ['deal.stage_changed'] : []), ...statusEvents(before?.status ?? 'open', to.type)],
  };
}

/** The stage that is asked for; the present one when none is. */
function destination(before: DealPlace | null, wish: PlaceWish, board: Board): BoardStage {
  const status = wish.status === before?.status ? undefined : wish.status;
  if (wish.stage_id !== undefined) {
    const stage = stageOf(board, wish.stage_id) ?? unknown('stage_id', 'stage');
    if (wish.pipeline_id !== undefined && pipelineOf(board, wish.pipeline_id).id !== stage.pipeline_id) {
      invalid('stage_id', 'invalid', `Stage ${stage.id} does not belong to pipeline ${wish.pipeline_id}.`);
    }
    if (stage.id !== before?.stage_id) {
      if (status !== undefined && status !== stage.type) {
        invalid('status', 'invalid', `Deals in stage ${stage.id} are ${stage.type}, not ${status}.`);
      }
      return stage;
    }
  }
  const pipeline =
    wish.pipeline_id !== undefined
      ? pipelineOf(board, wish.pipeline_id)
      : before
        ? pipelineOf(board, before.pipeline_id)
        : (board.find((item) => item.is_default) ?? unknown('pipeline_id', 'pipeline'));
  if (before && pipeline.id === before.pipeline_id) {
    if (status === undefined) return stageOf(board, before.stage_id) ?? unknown('stage_id', 'stage');
    const left = pipeline.stages.find((stage) => stage.type === 'open' && stage.id === before.open_stage_id);
    if (status === 'open' && left) return left;
  }
  return firstStage(pipeline, status ?? before?.status ?? 'open');
}

/** A closed deal is opened by its status; only then it moves. */
function requireMove(before: DealPlace, wish: PlaceWish, to: BoardStage): void {
  if (before.status === 'open') return;
  if (to.type !== before.status && (to.type !== 'open' || wish.status === 'open')) {
    requireTransition(dealTransitions, 'status', before.status, to.type);
    return;
  }
  const field = wish.stage_id === undefined ? 'pipeline_id' : 'stage_id';
  invalid(field, 'closed', `The deal is ${before.status}; only open deals move. Set "status" to open first.`, {
    status: before.status,
  });
}

function requireActive(wish: PlaceWish, pipeline: BoardPipeline): void {
  if (pipeline.is_active) return;
  const field = wish.pipeline_id === undefined ? 'stage_id' : 'pipeline_id';
  invalid(field, 'inactive', `Pipeline ${pipeline.id} is not active; no deal comes into it.`);
}

/** The probability set by hand, which survives moves and closing; null while the deal follows its stage. */
function ownProbability(before: DealPlace | null, { probability }: PlaceWish, to: BoardStage): number | null {
  const own = before?.own_probability ?? null;
  if (probability === undefined || probability === before?.probability) return own;
  if (to.type === 'open') return probability === to.probability ? null : probability;
  if (probability === to.probability) return own;
  return invalid('probability', 'invalid', `The probability of a ${to.type} deal is ${to.probability}.`);
}

function lostReason(before: DealPlace | null, wish: PlaceWish, status: DealStatus): string | null {
  const present = before?.lost_reason ?? null;
  const reason = wish.lost_reason === undefined ? present : saidIn(wish.lost_reason);
  if (status === 'lost') {
    if (reason !== null) return reason;
    const message = 'A lost deal needs a "lost_reason".';
    fail('validation_error', message, {
      missing: ['lost_reason'],
      details: [{ field: 'lost_reason', code: 'required', message }],
    });
  }
  if (reason !== null && reason !== present) {
    invalid('lost_reason', 'invalid', `Only lost deals have a "lost_reason"; this one is ${status}.`);
  }
  return null;
}

/** What changes with the stage. */
function arrival(before: DealPlace | null, to: BoardStage, now: string): Record<string, unknown> {
  const rots = to.type === 'open' && to.rotten_days !== null;
  return {
    stage_changed_at: now,
    open_stage_id: to.type === 'open' ? to.id : (before?.open_stage_id ?? null),
    rots_at: rots ? rotsAt(now, to.rotten_days ?? 0) : null,
  };
}

/** When a deal that came into its stage at that moment begins to be rotten. */
export function rotsAt(moment: string, rottenDays: number): string {
  return new Date(new Date(moment).getTime() + rottenDays * DAY_MS).toISOString();
}

/** What changes with the status. */
function closing(before: DealPlace | null, status: DealStatus, now: string): Record<string, unknown> {
  return {
    closed_at: status === 'open' ? null : now,
    won_at: status === 'won' ? now : null,
    lost_at: status === 'lost' ? now : null,
    first_won_at: before?.first_won_at ?? (status === 'won' ? now : null),
  };
}

function statusEvents(from: DealStatus, to: DealStatus): string[] {
  if (from === to) return [];
  return [to === 'open' ? 'deal.reopened' : `deal.${to}`];
}

function pipelineOf(board: Board, id: number): BoardPipeline {
  return board.find((pipeline) => pipeline.id === id) ?? unknown('pipeline_id', 'pipeline');
}

function unknown(field: string, what: string): never {
  invalid(field, 'not_found', `"${field}" names a ${what} that does not exist.`);
}
