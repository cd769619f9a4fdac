import type { Fields } from './api';
import type { TestWorkspace } from './workspace';
import { until } from './until';

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
