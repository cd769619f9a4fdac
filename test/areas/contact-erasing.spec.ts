import type { Api } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

const erased = (api: Api, id: number): Promise<void> =>
  until('the contact is erased', async () => {
    const { status } = (await api.get(`/erasures/${id}`)).expect(200).data;
    return status === 'completed';
  });

it('nobody keeps a contact from being erased by taking the address that would stand for theirs', async () => {
  const { api } = await makeWorkspace(server);
  const contact = await make(api, '/contacts');
  const taken = await make(api, '/contacts', { email: `erased-${contact.id}@erased.invalid` });
  (await api.post(`/contacts/${contact.id}/erase`)).expect(202);
  const { email, erased_at: erasedAt } = (await api.get(`/contacts/${contact.id}`)).expect(200).data;
  expect(email).toMatch(/^erased-\d+-[0-9a-f]{32}@erased\.invalid$/);
  expect(erasedAt).not.toBeNull();
  expect((await api.get(`/contacts/${taken.id}`)).expect(200).data.email).toBe(taken.email);
});

it('a text that is nearly the name of somebody who is erased keeps nothing waiting', async () => {
  const { api } = await makeWorkspace(server);
  const first = 'ж'.repeat(34);
  const { id, contact_id: contactId } = await makeTicket(api, {
    requester_email: 'zhenya@people.example',
    requester_name: `${first} Бо`,
  });
  const path = `/tickets/${id}/comments`;
  (await api.post(path, { body: `${first}_Во is not ${first} Бо.` })).expect(201);
  const erasure = (await api.post(`/contacts/${String(contactId)}/erase`)).expect(202).data;
  await erased(api, erasure.id);
  expect((await api.get(path)).rows).toMatchObject([{ body: '[erased]_Во is not [erased].' }]);
});

it('somebody who was called by very long names is erased like anybody', async () => {
  const { api } = await makeWorkspace(server);
  const nameOf = (letter: string): string => `${letter.repeat(126)} ${letter.repeat(127)}`;
  const { id } = await make(api, '/contacts', { name: nameOf('я') });
  for (const letter of ['ю', 'э', 'ы', 'щ']) (await api.patch(`/contacts/${id}`, { name: nameOf(letter) })).expect(200);
  const erasure = (await api.post(`/contacts/${id}/erase`)).expect(202).data;
  await erased(api, erasure.id);
  expect((await api.get(`/contacts/${id}`)).expect(200).data.name).toBeNull();
});
