import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;

beforeAll(async () => {
  home = await makeWorkspace(server);
});

describe('filters by id', () => {
  it.each([
    ['/tickets', 'ids'],
    ['/tickets', 'assigned_to'],
    ['/tickets', 'company_id'],
    ['/tickets', 'asset_id'],
    ['/tickets', 'followed_by'],
    ['/users', 'team_id'],
    ['/contacts', 'company_id'],
  ])('of %s take ids alone: %s', async (path, name) => {
    const codes = async (value: string): Promise<unknown> =>
      (await home.api.get(`${path}?${name}=${value}`)).expect(422).codes;
    for (const value of ['0', '-1']) expect(await codes(value)).toEqual({ [name]: 'min' });
    for (const value of ['abc', '1.5']) expect(await codes(value)).toEqual({ [name]: 'type' });
    expect((await home.api.get(`${path}?${name}=8999999`)).expect(200).rows).toEqual([]);
  });

  it('says so of each of several, too', async () => {
    const { id } = await makeTicket(home.api);
    expect((await home.api.get(`/tickets?ids=${id},0`)).expect(422).codes).toEqual({ ids: 'min' });
  });
});
