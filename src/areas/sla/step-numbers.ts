import { createHash } from 'node:crypto';
import type { EscalationStep } from './escalation-step';

/**
 * Numbers by which the steps of a policy are known, in their order: made of what a step says, so that it keeps its number wherever
 * it stands, and one that says something else is another. Steps that say the same are told apart by their order.
 *
 * @param steps as they are stored: the order of their members counts
 */
export function stepNumbers(steps: readonly EscalationStep[]): number[] {
  const taken = new Set<number>();
  return steps.map((step) => {
    let number = createHash('sha256').update(JSON.stringify(step)).digest().readUInt32BE() >>> 2;
    while (taken.has(number)) number += 1;
    taken.add(number);
    return number;
  });
}
