import { Database } from '../../src/platform/database/database';
import type { Fields } from './api';
import type { TestApp } from './app';
import { until } from './until';
import type { TestWorkspace } from './workspace';

/** Sandboxes of this file. */
const kept = new Set<number>();

/** A sandbox that the applications of the run need not look after any more when the file is over. */
export function keepUntilTheEnd(workspaceId: number): void {
  kept.add(workspaceId);
}

/** Nobody looks after the sandboxes of this file any more: those of all files would be most of what a run does. */
export async function leaveSandboxes({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const ids = [...kept];
  kept.clear();
  if (ids.length === 0) return;
  const text = `UPDATE sandboxes SET looked_at = 'infinity' WHERE workspace_id = ANY ($1::bigint[])`;
  const database = app.get(Database);
  await database.bookkeeping(() => database.run([{ text, values: [ids] }], true));
}

/** Moves the clock of a sandbox and waits until all is done that has come due; answers what it shows then, ms since 1970. */
export async function letPass({ api }: Pick<TestWorkspace, 'api'>, advance: string | number): Promise<number> {
  (await api.post('/sandbox/clock', { advance })).expect(200);
  return rested({ api });
}

/** Waits until nothing is left to be done in a workspace; answers what its clock shows then, ms since 1970. */
export async function rested({ api }: Pick<TestWorkspace, 'api'>): Promise<number> {
  let clock: Fields | undefined;
  await until('all is done that has come due', async () => {
    clock = (await api.get('/sandbox/clock')).expect(200).data;
    return clock.is_settled === true;
  });
  return Date.parse(clock?.now as string);
}
