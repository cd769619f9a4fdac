import type { Metric, SlaState } from './clock-types';

/**
 * What a ticket that is opened again is promised anew, from then on, as it was given up: the ticket had been merged into one that is
 * gone, say. A first response is owed while there was none.
 */
export function owedAnew({ clocks, channel, first_response_at }: SlaState): Metric[] {
  const response = clocks.findLast(({ metric }) => metric === 'first_response');
  const resolution = clocks.findLast(({ metric }) => metric === 'resolution');
  const isUnanswered = response?.fulfilled_at === null && first_response_at === null && channel !== 'internal';
  return [
    ...(isUnanswered && response.outcome === 'cancelled' ? (['first_response'] as const) : []),
    ...(resolution?.outcome === 'cancelled' ? (['resolution'] as const) : []),
  ];
}
