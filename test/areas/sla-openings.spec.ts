import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { detailOf } from '../support/sla';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

describe('what the creation of a ticket decides about its clocks', () => {
  it.each<[string, object, string[]]>([
    ['a call is answered', { channel: 'phone' }, ['first_response']],
    ['what is done has met everything', { status: 'resolved' }, ['resolution', 'first_response']],
    ['what is closed too', { status: 'closed', channel: 'phone' }, ['resolution', 'first_response']],
    ['anything else is yet to come', { status: 'on_hold' }, []],
  ])('is told as in a simulation: %s', async (_, body, met) => {
    const ticket = await makeTicket(api, { priority: 'high', ...body });
    const { policy, history } = await detailOf(api, ticket.id);
    const story = { created_at: ticket.created_at, priority: 'high', ...body };
    const simulated = (await api.post(`/sla/${String(policy?.id)}/simulate`, story)).expect(200).data;
    expect(history).toEqual(simulated.history);
    expect(history.filter(({ change }) => change === 'met').map(({ cause }) => cause)).toEqual(
      met.map(() => 'created'),
    );
    const events = await eventsOf(server, workspace, 'ticket', ticket.id);
    expect(events.map(({ type }) => type)).toEqual(['ticket.created', ...(met.length > 0 ? ['ticket.sla_met'] : [])]);
    const told = (events[1]?.related?.sla as { clocks: Fields[] } | undefined)?.clocks ?? [];
    expect(told.map(({ metric }) => metric)).toEqual(met);
    expect(new Set(events.map(({ sequence_id }) => sequence_id)).size).toBe(1);
  });
});
