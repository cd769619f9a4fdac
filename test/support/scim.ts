import type { Answer, Fields } from './api';
import { Api } from './api';
import type { TestApp } from './app';
import { makeWorkspace, type TestWorkspace } from './workspace';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A resource, or another body of SCIM. */
export interface ScimBody {
  id: string;
  [name: string]: unknown;
}

/** A client of the SCIM server, as an identity provider is one. */
export class ScimClient {
  constructor(private readonly api: Api) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.api.send('GET', `/scim/v2${path}`, { headers: { accept: 'application/scim+json', ...headers } });
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const said = { 'content-type': 'application/scim+json; charset=utf-8', ...headers };
    return this.api.send(method, `/scim/v2${path}`, { ...(body === undefined ? {} : { body }), headers: said });
  }

  patch(path: string, operations: readonly object[], headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('PATCH', path, { schemas: [PATCH], Operations: operations }, headers);
  }

  async makeUser(userName: string, values: object = {}): Promise<ScimBody> {
    const name = { givenName: userName.split('@')[0], familyName: 'Person' };
    const emails = [{ value: userName, type: 'work', primary: true }];
    const body = { schemas: [USER], userName, name, emails, active: true, ...values };
    return said((await this.send('POST', '/Users', body)).expect(201));
  }

  async makeGroup(displayName: string, members: readonly string[] = []): Promise<ScimBody> {
    const body = { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) };
    return said((await this.send('POST', '/Groups', body)).expect(201));
  }
}

/** The body of an answer. */
export const said = (answer: Answer): ScimBody => JSON.parse(answer.text) as ScimBody;
export const resources = (answer: Answer): ScimBody[] => said(answer.expect(200)).Resources as ScimBody[];

/** A workspace with a SCIM connection, and its client. */
export async function scimConnected(
  server: TestApp,
  values: object = {},
): Promise<{ workspace: TestWorkspace; connection: Fields; scim: ScimClient; token: string }> {
  const workspace = await makeWorkspace(server);
  const body = { type: 'scim', name: 'Entra ID', ...values };
  const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  const path = `/active-directory/connections/${connection.id}/token`;
  const { token } = (await workspace.api.post(path, {})).expect(200).data as unknown as { token: string };
  return { workspace, connection, token, scim: new ScimClient(new Api(server.url, token)) };
}
