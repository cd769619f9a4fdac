import { type Scope, Tokens } from '../../src/platform/auth/tokens.service';
import { Api } from './api';
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

/** Makes a user of a workspace who calls for themselves. */
export async function makePerson(
  server: TestApp,
  { id: workspaceId, api }: TestWorkspace,
  user: Record<string, unknown> = {},
  scopes: Scope[] = ['*'],
): Promise<Person> {
  const { id, name, email } = await makeUser(api, user);
  const { token } = await server.app.get(Tokens).create({ workspaceId, scopes, userId: id });
  return { id, name: name as string, email: email as string, api: new Api(server.url, token) };
}
