import { Tokens } from '../../src/platform/auth/tokens.service';
import type { Scope } from '../../src/platform/context/principal';
import { Api } from '../support/api';
import { useHostility } from '../support/hostile';
import { fillPath } from '../support/operations';

const stage = useHostility();

describe('the scope of a token', () => {
  it.each<[Scope, (method: string, path: string) => boolean]>([
    ['read', (method) => method === 'GET'],
    // Who has a link to an archive reads it, so it takes both.
    ['write', (method, path) => method !== 'GET' && path !== '/exports/{id}/link'],
  ])('%s opens every operation of its methods, and no other', async (scope, opens) => {
    const { token } = await stage.server.app.get(Tokens).create({ workspaceId: stage.workspace.id, scopes: [scope] });
    const api = new Api(stage.server.url, token);
    const other = scope === 'read' ? 'write' : 'read';
    const wrong: string[] = [];
    for (const { method, path } of stage.operations) {
      const answer = await api.send(method, fillPath(path, [8_999_999_999_999, 7, 7]), { body: undefined });
      const refused = answer.status === 403 ? answer.error.details?.[0] : undefined;
      const isRight = opens(method, path) ? refused?.code !== 'scope' : refused?.scope === other;
      if (!isRight) wrong.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
  });
});
