import { invalid } from '../../../platform/errors/api-error';
import type { Row, Values } from '../../../platform/resource/rows';
import type { DealStatus } from '../crm-values';
import type { Deal } from '../deals/deal.entity';
import { rotsAt } from '../deals/deal-place';
import { type Board, type BoardPipeline, type BoardStage, firstStage, stageOf } from '../pipelines/board';

/** Reason of a deal or lead that was lost elsewhere, for whatever reason. */
export const NO_REASON = 'Not known: it came without a reason.';

/** Where a deal of another system stands here. */
export interface TakenPlace {
  /** Columns that everybody sees. */
  values: Values<Deal>;
  to: BoardStage;
  warnings: string[];
}

/** The fields that say where a deal stands, and since when. */
export const PLACE_FIELDS = [
  ...(['pipeline_id', 'stage_id', 'status', 'probability', 'lost_reason'] as const),
  ...(['closed_at', 'won_at', 'lost_at'] as const),
] as const;

/**
 * Where a deal stands, by what another system says: any stage may follow any other, and moments are those of the source. A deal that is
 * said to be over and in an open stage was won or lost out of that stage. Pure.
 *
 * @param before the deal as it is here; null = a new one
 * @param said what the source says, or says anew
 * @param now ISO 8601, where nobody says more
 * @throws ApiError 422 for a stage of another pipeline, and for a pipeline that takes no deals
 */
export function takenPlace(before: Row<Deal> | null, said: Values<Deal>, board: Board, now: string): TakenPlace {
  const warnings: string[] = [];
  const named = said.stage_id === undefined ? undefined : stageOf(board, said.stage_id);
  const pipeline = pipelineFor(before, said, named, board);
  const status = said.status ?? named?.type ?? before?.status ?? 'open';
  const to = destination(before, named, pipeline, status);
  const isOver = status !== 'open';
  const end = isOver ? (endOf(before, said, status) ?? said.updated_at ?? said.created_at ?? now) : null;
  const moved = to.id !== before?.stage_id;
  const came = said.stage_changed_at ?? end ?? (before === null ? said.created_at : said.updated_at) ?? now;
  const values: Values<Deal> = {
    pipeline_id: to.pipeline_id,
    stage_id: to.id,
    status,
    probability: isOver ? to.probability : (said.probability ?? followed(before, to)),
    lost_reason: reasonOf(before, said, status, warnings),
    closed_at: end,
    won_at: status === 'won' ? end : null,
    lost_at: status === 'lost' ? end : null,
    first_won_at: before?.first_won_at ?? said.first_won_at ?? (status === 'won' ? end : null),
    stage_changed_at: moved ? came : before.stage_changed_at,
  };
  if (isOver && said.probability !== undefined && said.probability !== to.probability && before === null)
    warnings.push(`probability: that of a ${status} deal is ${to.probability}`);
  return { values, to, warnings };
}

/** What follows of a place for columns that nobody sees. @param named an open stage that a deal was won or lost out of */
export function hiddenPlace(
  before: Row<Deal> | null,
  { probability, stage_changed_at }: Values<Deal>,
  to: BoardStage,
  named?: BoardStage,
): Values<Deal> {
  const isOpen = to.type === 'open';
  const left = named?.type === 'open' ? named.id : (before?.open_stage_id ?? null);
  const rots = isOpen && to.rotten_days !== null && stage_changed_at;
  return {
    own_probability: isOpen
      ? probability === to.probability
        ? null
        : (probability ?? null)
      : (before?.own_probability ?? null),
    open_stage_id: isOpen ? to.id : left,
    rots_at: rots ? rotsAt(stage_changed_at, to.rotten_days ?? 0) : null,
  };
}

function pipelineFor(
  before: Row<Deal> | null,
  said: Values<Deal>,
  named: BoardStage | undefined,
  board: Board,
): BoardPipeline {
  if (said.stage_id !== undefined && !named) invalid('stage_id', 'not_found', `No stage ${said.stage_id}.`);
  if (named && said.pipeline_id !== undefined && named.pipeline_id !== said.pipeline_id)
    invalid('stage_id', 'invalid', `Stage ${named.id} does not belong to pipeline ${said.pipeline_id}.`);
  const id = named?.pipeline_id ?? said.pipeline_id ?? before?.pipeline_id;
  const pipeline = board.find((each) => (id === undefined ? each.is_default : each.id === id));
  if (!pipeline) return invalid('pipeline_id', 'not_found', `No pipeline ${id ?? ''}.`);
  if (!pipeline.is_active && pipeline.id !== before?.pipeline_id)
    invalid('pipeline_id', 'inactive', `Pipeline ${pipeline.id} is not active; no deal comes into it.`);
  return pipeline;
}

function destination(
  before: Row<Deal> | null,
  named: BoardStage | undefined,
  pipeline: BoardPipeline,
  status: DealStatus,
): BoardStage {
  if (named?.type === status) return named;
  const stays = before?.pipeline_id === pipeline.id && before.status === status ? before.stage_id : null;
  const left = status === 'open' ? (before?.open_stage_id ?? null) : null;
  const known = pipeline.stages.find(({ id, type }) => type === status && (id === stays || id === left));
  return known ?? firstStage(pipeline, status);
}

/** When a source says that it was over, or what is known of that. */
function endOf(
  before: Row<Deal> | null,
  { won_at, lost_at, closed_at }: Values<Deal>,
  status: DealStatus,
): string | null {
  const said = (status === 'won' ? won_at : lost_at) ?? closed_at ?? null;
  return said ?? (before?.status === status ? before.closed_at : null);
}

function followed(before: Row<Deal> | null, to: BoardStage): number {
  return before?.own_probability ?? to.probability;
}

function reasonOf(
  before: Row<Deal> | null,
  { lost_reason: said }: Values<Deal>,
  status: DealStatus,
  warnings: string[],
): string | null {
  if (status === 'lost') {
    const reason = said || before?.lost_reason || null;
    if (reason === null) warnings.push('lost_reason: nothing is said of why it was lost');
    return reason ?? NO_REASON;
  }
  if (said) warnings.push(`lost_reason: only lost deals have one, and this one is ${status}; left out`);
  return null;
}
