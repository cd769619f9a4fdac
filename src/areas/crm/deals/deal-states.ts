import type { TransitionTable } from '../../../platform/state/transitions';
import type { DealStatus } from '../crm-values';

/** Product reference 2.5: a closed deal is opened again before it can end the other way. */
export const dealTransitions: TransitionTable<DealStatus> = {
  open: ['won', 'lost'],
  won: ['open'],
  lost: ['open'],
};
