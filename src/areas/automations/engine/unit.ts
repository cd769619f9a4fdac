import type { Causation } from '../../../platform/context/causation';
import { type Actor, current, currentWorkspaceId, newContext, runInContext } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';

/**
 * A unit of work as somebody else, within the current workspace: joins the open one (a dry run is one big unit that is
 * undone), else begins its own. The rules see no token, as in any job.
 */
export function unitAs<T>(database: Database, actor: Actor, causation: Causation, work: () => Promise<T>): Promise<T> {
  const { requestId, transaction, clockAheadMs } = current();
  const place = { workspaceId: currentWorkspaceId(), clockAheadMs, transaction };
  const context = newContext(requestId, { ...place, actor, causation });
  return runInContext(context, () => database.transaction(work));
}
