import { type Scope, Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Fields } from './api';
import type { TestApp } from './app';
import { makeUser } from './cast';
import type { TestWorkspace } from './workspace';

/** A user with a token of their own. */
export interface Person {
  id: number;
  name: string;
  email: string;
  api: Api;
}

/** A user of a workspace, and a client with a token of theirs. */
export async function userApi(
  { app, url }: Pick<TestApp, 'app' | 'url'>,
  { id: workspaceId, api }: TestWorkspace,
  body: Record<string, unknown> = {},
  scopes: Scope[] = ['*'],
): Promise<{ user: Fields; api: Api }> {
  const user = await makeUser(api, body);
  const { token } = await app.get(Tokens).create({ workspaceId, scopes, userId: user.id });
  return { user, api: new Api(url, token) };
}

/** Makes a user of a workspace who calls for themselves. */
export async function makePerson(
  server: Pick<TestApp, 'app' | 'url'>,
  workspace: TestWorkspace,
  body: Record<string, unknown> = {},
  scopes?: Scope[],
): Promise<Person> {
  const { user, api } = await userApi(server, workspace, body, scopes);
  return { id: user.id, name: user.name as string, email: user.email as string, api };
}
