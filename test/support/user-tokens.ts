import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Fields } from './api';
import type { TestApp } from './app';
import { makeUser } from './cast';
import type { TestWorkspace } from './workspace';

/** A user of a workspace, and a client with a token of theirs. */
export async function userApi(
  { app, url }: TestApp,
  workspace: TestWorkspace,
  body: Record<string, unknown> = {},
): Promise<{ user: Fields; api: Api }> {
  const user = await makeUser(workspace.api, body);
  const { token } = await app
    .get(Tokens)
    .create({ workspaceId: workspace.id, scopes: ['*'], userId: user.id, name: 'of a user' });
  return { user, api: new Api(url, token) };
}
