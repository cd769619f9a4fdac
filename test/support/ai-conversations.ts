import type { Api, Fields } from './api';
import type { TestApp } from './app';
import { makeWorkspace, type TestWorkspace } from './workspace';

/** Of the one article that there is, and what it answers; what nothing answers. */
export const BODY = 'Open the account page and choose Reset password. A link is sent to your phone. Lunch is at noon.';
export const QUESTION = 'How can I reset my password?';
export const UNKNOWN = 'Which zeppelin flies to Samarkand?';

/** A workspace with one article that customers may read. */
export async function desk(server: TestApp): Promise<TestWorkspace> {
  const workspace = await makeWorkspace(server);
  await publish(workspace.api, 'Reset your password', BODY);
  return workspace;
}

export async function publish(api: Api, title: string, body: string): Promise<void> {
  (await api.post('/kb/articles', { title, body, status: 'published' })).expect(201);
}

export async function start(api: Api, message: string, more: object = {}): Promise<Fields> {
  return (await api.post('/ai-engine/conversations', { message, ...more })).expect(201).data;
}

export async function say(api: Api, { id }: Fields, message: string): Promise<Fields> {
  return (await api.post(`/ai-engine/conversations/${id}/messages`, { message })).expect(200).data;
}
