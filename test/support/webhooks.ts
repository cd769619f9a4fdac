import type { Api } from './api';
import type { Belongings } from './belongings';
import type { TestWorkspace } from './workspace';

/** An endpoint of a test, with its secret. */
export interface TestEndpoint {
  id: number;
  secret: string;
}

/** Creates an endpoint that is active at once. */
export async function subscribe(
  workspace: Pick<TestWorkspace, 'api'>,
  url: string,
  events: readonly string[],
  more: Record<string, unknown> = {},
): Promise<TestEndpoint> {
  const { data } = (await workspace.api.post('/webhooks', { url, events, ...more })).expect(201);
  return { id: data.id, secret: (data.secret ?? more.secret) as string };
}

/** A request about an endpoint, which is made active first. */
export async function active(own: Belongings, api: Api, body?: object): Promise<{ body?: object }> {
  (await api.patch(`/webhooks/${own.webhooks}`, { is_active: true })).expect(200);
  return body ? { body } : {};
}
