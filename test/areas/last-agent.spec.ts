import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { makePerson } from '../support/people';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it('a ticket goes to who wrote to the requester last, whoever left a note since', async () => {
  const workspace = await makeWorkspace(server);
  const answering = await makePerson(server, workspace);
  const noting = [await makePerson(server, workspace), await makePerson(server, workspace, { role: 'light_agent' })];
  const { id } = await makeTicket(workspace.api);
  (await answering.api.post(`/tickets/${id}/comments`, { body: 'Have you restarted it?' })).expect(201);
  for (const { api } of noting)
    (await api.post(`/tickets/${id}/comments`, { body: 'It is the fuser.', is_internal: true })).expect(201);
  const { data } = (await workspace.api.post(`/tickets/${id}/assign`, { strategy: 'last_agent' })).expect(200);
  expect(data.assigned_to).toBe(answering.id);
});
