import { current } from '../context/current';
import type { EventDraft } from '../events/event-rows';
import type { Foretold } from '../postgres/transaction';
import type { Resource } from './resource';

/**
 * Whether the creation of this record is what the unit of work was foretold to end with (`Transaction.foretold`). Its first event is then
 * the one that was promised. Null when it is another one, or when more than the outermost caller waits for its end.
 *
 * @param drafts events of the creation, `<singular>.created` first where the resource tells of it
 */
export function takeForetold({ singular, told }: Resource, drafts: readonly EventDraft[]): Foretold | null {
  const { transaction } = current();
  const foretold = transaction?.foretold;
  const [first] = drafts;
  if (!foretold || foretold.taken || foretold.object !== singular || transaction.joined !== 1) return null;
  if (first?.type !== told.created) return null;
  first.id = foretold.eventId;
  foretold.taken = true;
  return foretold;
}
