import { useApp } from '../support/app';
import { makeRule, settledTicket } from '../support/automations';
import { makeTicket } from '../support/cast';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it('a rule that is switched on as another is switched off runs in its place', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const tagging = (tags: string): Record<string, unknown> => ({ actions: [{ type: 'add_tags', tags }] });
  const idle = await makeRule(workspace, { ...tagging('idle'), is_active: false });
  const busy = await makeRule(workspace, tagging('busy'));
  await makeRule(workspace, tagging('last'));
  (await api.patch(`/automations/${busy.id}`, { name: 'Busy' })).expect(200);
  const tagsOf = async (): Promise<unknown> =>
    (await settledTicket(server, workspace, (await makeTicket(api)).id)).tags;
  expect(await tagsOf()).toBe('busy,last');
  // As many versions as before, of as many rules, up to the same id.
  (await api.patch(`/automations/${busy.id}`, { is_active: false })).expect(200);
  (await api.patch(`/automations/${idle.id}`, { is_active: true })).expect(200);
  expect(await tagsOf()).toBe('idle,last');
});
