import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { makePerson } from '../support/people';
import { makeWorkspace } from '../support/workspace';
import type { Fields } from '../support/api';

const server = useApp();

it('how well a policy is kept is told of the tickets that one sees', async () => {
  const home = await makeWorkspace(server);
  const team = await make(home.api, '/teams');
  const narrow = await makePerson(server, home, { role: 'agent', ticket_scope: 'teams', team_ids: [team.id] });
  const [{ id }] = (await home.api.get('/sla')).rows as [Fields];
  const shown = async ({ api }: Pick<typeof home, 'api'>): Promise<unknown[]> => {
    const one = (await api.get(`/sla/${id}`)).expect(200).data;
    const [row] = (await api.get('/sla?fields=id,ticket_count,compliance_30d')).expect(200).rows;
    expect(row).toEqual({ id, ticket_count: one.ticket_count, compliance_30d: one.compliance_30d });
    return [one.ticket_count, one.compliance_30d];
  };
  const answered = async (body: object): Promise<void> => {
    const ticket = await makeTicket(home.api, { ...body });
    (await home.api.post(`/tickets/${ticket.id}/comments`, { body: 'Hello' })).expect(201);
  };
  await answered({});
  expect([await shown(home), await shown(narrow)]).toEqual([
    [1, 100],
    [0, null],
  ]);
  await answered({ team_id: team.id });
  expect([await shown(home), await shown(narrow)]).toEqual([
    [2, 100],
    [1, 100],
  ]);
});

it('a policy that comes last never comes behind the last place', async () => {
  const { api } = await makeWorkspace(server);
  const hour = { first_response_minutes: 60, resolution_minutes: 60 };
  const targets = { urgent: hour, high: hour, medium: hour, low: hour };
  (await api.post('/sla', { name: 'Last', targets, position: 1_000_000 })).expect(201);
  expect((await api.post('/sla', { name: 'Behind it', targets })).expect(201).data.position).toBe(1_000_000);
});
