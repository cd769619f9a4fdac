import type { BoardStage } from '../pipelines/board';
import { IntegerMember, NumberMember } from '../../../platform/http/answer-members';

/** Stays in a stage that began in the window, by how they ended before its end; `to` null: not yet. */
export interface StayCount {
  stage_id: number;
  to: number | null;
  stays: number;
}

/** What became of the stays that began in a stage within the window. The last five add up to the first. */
export class Conversion {
  @IntegerMember({ description: 'Stays that began in the window.' })
  entered: number;

  @IntegerMember({ description: 'Of those, to an open stage further on, or won.' })
  moved_on: number;

  @IntegerMember({ description: 'Of those, to an open stage before this one.' })
  moved_back: number;

  @IntegerMember({ description: 'Of those, lost.' })
  lost: number;

  @IntegerMember({ description: 'Of those, to another pipeline, a stage that is gone, or opened again.' })
  left: number;

  @IntegerMember({ description: 'Of those, not ended by the end of the window.' })
  still_there: number;

  @NumberMember({ nullable: true, description: 'moved_on / entered; null when nothing entered, to two places.' })
  conversion_pct: number | null;
}

/** The values alone, to be put among others. */
type Counted = Pick<Conversion, keyof Conversion>;

/**
 * Conversion of each stage of a pipeline, in its order. The denominator is `entered`: a deal that comes back into a stage
 * counts again, and a stay that goes on is not (yet) a conversion.
 */
export function conversions<S extends BoardStage>(stages: readonly S[], counts: readonly StayCount[]): Map<S, Counted> {
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  return new Map(
    stages.map((stage) => {
      const sum: Counted = {
        entered: 0,
        moved_on: 0,
        moved_back: 0,
        lost: 0,
        left: 0,
        still_there: 0,
        conversion_pct: null,
      };
      for (const { to, stays } of counts.filter(({ stage_id }) => stage_id === stage.id)) {
        sum.entered += stays;
        sum[to === null ? 'still_there' : ending(stage, byId.get(to))] += stays;
      }
      sum.conversion_pct = percentage(sum.moved_on, sum.entered);
      return [stage, sum];
    }),
  );
}

/** `part` of `whole` in per cent, to two places; null of nothing. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
}

function ending(from: BoardStage, to: BoardStage | undefined): 'moved_on' | 'moved_back' | 'lost' | 'left' {
  if (!to || from.type !== 'open') return 'left';
  if (to.type === 'lost') return 'lost';
  return to.type === 'won' || to.position > from.position ? 'moved_on' : 'moved_back';
}
