import { eventKind } from '../../src/platform/events/event-catalogue';
import { allResources } from '../../src/platform/resource/resource';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { useQuoteDesk } from '../support/quotes';
import { targets } from '../support/sla';
import { until } from '../support/until';

const server = useApp();
const desk = useQuoteDesk(server);

type Data = Record<string, unknown>;

/** The sample of each type that the catalogue shows. */
async function samples(): Promise<Map<string, Data>> {
  const { data } = (await desk.workspace.api.get('/integrations/events?per_page=100')).expect(200).body;
  const domains = data as { events: { type: string; sample: { data: Data } }[] }[];
  return new Map(domains.flatMap(({ events }) => events.map(({ type, sample }) => [type, sample.data] as const)));
}

/** The data of the first event of that type. */
async function real(type: string): Promise<Data> {
  let found: { data: Data }[] = [];
  await until(`there is ${type}`, async () => {
    found = (await desk.workspace.api.get(`/events?type=${type}`)).expect(200).body.data as { data: Data }[];
    return found.length > 0;
  });
  return found[0]?.data ?? {};
}

/** Names of the members, and of those of the records among them. */
function shape(data: Data): Record<string, unknown> {
  const isRecord = (member: unknown): member is Data =>
    typeof member === 'object' && member !== null && !Array.isArray(member);
  return Object.fromEntries(
    Object.entries(data).map(([name, member]) => [name, isRecord(member) ? Object.keys(member).sort() : null]),
  );
}

/** Lets as many kinds of things happen as a few calls can. */
async function happenings(): Promise<void> {
  const { api } = desk.workspace;
  await make(api, '/sla', { targets: targets(60, 480), is_default: true });
  // By a change that brings nothing else along: what a reply meets is told with the reply.
  (await api.patch(`/tickets/${(await makeTicket(api)).id}`, { status: 'resolved' })).expect(200);
  const [user, follower] = [await makeUser(api), await makeUser(api)];
  const [ticket, other] = [await makeTicket(api), await makeTicket(api)];
  const at = `/tickets/${ticket.id}`;
  const post = async (path: string, body: object, status = 200): Promise<Fields> =>
    (await api.post(path, body)).expect(status).data;
  await post(`${at}/assign`, { user_id: user.id });
  await post(`${at}/followers`, { user_id: follower.id }, 201);
  const link = await post(`${at}/links`, { type: 'blocks', linked_ticket_id: other.id }, 201);
  (await api.delete(`${at}/links/${link.id}`)).expect(200);
  const comment = await post(`${at}/comments`, { body: 'It is loud.' }, 201);
  (await api.patch(`${at}/comments/${comment.id}`, { body: 'It is very loud.' })).expect(200);
  // What is redacted or deleted goes from the events that told of it.
  const [second, third] = [
    await post(`${at}/comments`, { body: 'It is loud.' }, 201),
    await post(`${at}/comments`, { body: 'It is quiet.' }, 201),
  ];
  await post(`${at}/comments/${second.id}/redact`, { text: 'loud' });
  (await api.delete(`${at}/comments/${third.id}`)).expect(200);
  (await api.patch(at, { status: 'on_hold' })).expect(200);
  (await api.patch(at, { status: 'in_progress' })).expect(200);
  await post(`${at}/escalate`, { reason: 'Called twice' });
  await post(`${at}/deescalate`, {});
  (await api.patch(at, { status: 'resolved' })).expect(200);
  await post(`${at}/rate`, { score: 5 });
  await post(`/tickets/${other.id}/merge`, { into_id: ticket.id });
  (await api.delete(`/tickets/${other.id}`)).expect(200);
  const article = await post('/kb/articles', { title: 'Guide', body: 'Text', status: 'published' }, 201);
  (await api.patch(`/kb/articles/${article.id}`, { is_pinned: true })).expect(200);
  await post(`/kb/articles/${article.id}/feedback`, { helpful: true }, 201);
  const [one, two] = [await make(api, '/contacts'), await make(api, '/contacts', { phone: '+12025550142' })];
  await post(`/contacts/${two.id}/merge`, { into_id: one.id });
  (await api.delete(`/companies/${(await make(api, '/companies')).id}`)).expect(200);
  const quote = await desk.draft();
  await desk.to(quote.id, 'sent', 'rejected');
  await post(`/quotes/${quote.id}/revise`, {}, 201);
}

it('what a resource tells by itself is about its records', () => {
  const told = allResources().flatMap(({ singular, told: types }) =>
    Object.values(types).flatMap((type) => {
      const kind = eventKind(type ?? '');
      return kind ? [[kind.type, kind.object, singular] as const] : [];
    }),
  );
  expect(told.filter(([, object, singular]) => object !== singular)).toEqual([]);
  expect(told.length).toBeGreaterThan(50);
});

it('samples have the members of real events', async () => {
  await happenings();
  const shown = await samples();
  const types = [
    ...['ticket.created', 'ticket.assigned', 'ticket.followed', 'ticket.linked', 'ticket.unlinked'],
    ...['ticket.comment_added', 'ticket.comment_updated', 'ticket.comment_redacted', 'ticket.comment_deleted'],
    ...['ticket.sla_met', 'ticket.sla_paused', 'ticket.sla_resumed', 'ticket.escalated', 'ticket.deescalated'],
    ...[
      'ticket.csat_received',
      'ticket.merged',
      'ticket.deleted',
      'kb_article.updated',
      'kb_article.feedback_received',
    ],
    ...['contact.merged', 'contact.deleted', 'company.deleted', 'quote.revised', 'quote.rejected'],
  ];
  for (const type of types) {
    const sample = shown.get(type);
    expect([type, sample && shape(sample)]).toEqual([type, shape(await real(type))]);
  }
});
