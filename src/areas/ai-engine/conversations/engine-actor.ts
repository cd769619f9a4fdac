import { current, runInContext } from '../../../platform/context/current';

/** Who does what the engine does by itself. */
export const ENGINE = { type: 'ai', id: null, name: 'AI engine' } as const;

/** Does something as the engine, in the unit of work and because of whoever asked: it sees and may what they need not. */
export function asEngine<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ ...current(), actor: ENGINE, principal: null }, work);
}
