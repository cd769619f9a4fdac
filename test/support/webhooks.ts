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
