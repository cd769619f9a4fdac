import { useApp } from '../support/app';
import type { Fields } from '../support/api';
import { drained } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { pagesOf } from '../support/poppler';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const smtp = useSmtpServer();
let workspace: TestWorkspace;
const api = () => workspace.api;

const SECRET = 'secret margin 41';
const options = [
  { value: 'south', label: 'South <b>wing</b>' },
  { value: 'north', label: 'North wing' },
];
const visible_to_customers = true;
const fieldsOf = (object: string): object[] => [
  { object, key: 'wings', label: 'Wings', type: 'multi_select', options, visible_to_customers },
  { object, key: 'due', label: 'Wanted by', type: 'date', visible_to_customers },
  { object, key: 'count', label: 'Pieces', type: 'number', visible_to_customers },
  { object, key: 'approved', label: 'Approved', type: 'boolean', visible_to_customers },
  { object, key: 'keeper', label: 'Keeper', type: 'reference', target: 'users', visible_to_customers },
  { object, key: 'empty', label: 'Never told', type: 'text', visible_to_customers },
  { object, key: 'margin', label: 'Margin', type: 'text' },
];
let values: Record<string, unknown>;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
  (await api().post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  (await api().patch('/workspace', { settings: { mail_ticket_received: true, csat_request: true } })).expect(200);
  for (const object of ['ticket', 'quote', 'meeting', 'contact'])
    for (const field of fieldsOf(object)) (await api().post('/custom-fields', field)).expect(201);
  const keeper = (await api().post('/users', { name: 'Kim Keeper', email: 'kim@acme.example' })).expect(201).data.id;
  const known = { wings: ['south', 'north'], due: '2027-03-01', count: 1234.5, approved: true, keeper };
  values = { ...known, margin: SECRET, undefined_key: SECRET };
});

const TOLD = ['Wings', 'North wing', 'Wanted by', '1 March 2027', '1,234.5', 'Approved', 'Yes', 'Kim Keeper'];
const US = TOLD.map((text) => (text === '1 March 2027' ? 'March 1, 2027' : text));

/** Shows what customers may see, as text, and nothing else. */
function expectShown(text: string, told: readonly string[] = US): void {
  for (const part of told) expect(text).toContain(part);
  for (const part of [SECRET, 'Margin', 'Never told', 'undefined_key', '<b>wing']) expect(text).not.toContain(part);
}

const pageOf = async (url: unknown): Promise<string> => (await fetch(String(url))).text();

it('are told of tickets: by mail, in words of the workspace where it names them, and on the page of a rating', async () => {
  const requester_email = 'ada@people.example';
  (await api().post('/contacts', { email: requester_email, language: 'de', custom_fields: values })).expect(201);
  const ticket = (await api().post('/tickets', { subject: 'Chairs', requester_email, custom_fields: values })).expect(
    201,
  ).data;
  await drained(server, workspace);
  const received = smtp.taken.at(-1)!.mail;
  const inGerman = ['Wings', 'North wing', '1. März 2027', '1.234,5', 'Approved', 'Ja', 'Kim Keeper'];
  expectShown(String(received.html), inGerman);
  expect(received.text).toContain('South <b>wing</b>, North wing');
  const rating = (await api().post(`/tickets/${ticket.id}/rating-link`)).expect(200).data;
  expectShown(await pageOf(rating.rating_url), inGerman);

  const kinds = (await api().get('/mail-templates/kinds?per_page=100')).expect(200).rows;
  const of = (kind: string): string[] =>
    (kinds.find((each) => each.kind === kind)?.variables as { name: string }[]).map(({ name }) => name);
  expect(of('ticket_received')).toContain('ticket.custom_fields.wings');
  expect(of('meeting_reminder')).toContain('meeting.custom_fields.due');
  expect([...of('report'), ...of('quote')].filter((name) => name.includes('margin'))).toEqual([]);
  const own = { kind: 'rating_request', language: 'de', subject: 'Wie war es?' };
  const body = 'In {{ticket.custom_fields.wings}} bis {{ticket.custom_fields.due}}.';
  const refused = await api().post('/mail-templates', { ...own, body: '{{ticket.custom_fields.margin}}' });
  expect(refused.expect(422).codes).toEqual({ body: 'unknown_variable' });
  expect((await api().post('/mail-templates/preview', { ...own, body })).expect(200).data.text).toContain(
    'In South <b>wing</b> bis March 1, 2027.',
  );
  (await api().post('/mail-templates', { ...own, body })).expect(201);
  (await api().patch(`/tickets/${ticket.id}`, { status: 'resolved' })).expect(200);
  await drained(server, workspace);
  const asked = smtp.taken.at(-1)!.mail;
  expect(asked.subject).toBe('Wie war es?');
  expect(asked.text).toContain('In South <b>wing</b>, North wing bis 1. März 2027.');
  expectShown(String(asked.html), ['North wing', '1. März 2027']);
});

it('are told of meetings', async () => {
  const attendees = [{ email: 'bob@people.example' }];
  const [host] = (await api().get('/users?per_page=1')).expect(200).rows;
  const meeting = {
    ...{ title: 'Fitting', host_id: host?.id, attendees, custom_fields: values },
    ...{ starts_at: '2031-03-03T10:00:00Z', ends_at: '2031-03-03T11:00:00Z' },
  };
  (await api().post('/meetings', meeting)).expect(201);
  await drained(server, workspace);
  expectShown(String(smtp.taken.at(-1)!.mail.html));
});

it('stand on a quote as they were when it was sent, while they are visible', async () => {
  const items = [{ name: 'Chair', quantity: 1, unit_price: 10 }];
  const draft = {
    title: 'Chairs',
    currency: 'EUR',
    recipient_email: 'paul@acme.example',
    items,
    custom_fields: values,
  };
  const { id } = (await api().post('/quotes', draft)).expect(201).data;
  const { public_url } = (await api().post(`/quotes/${id}/status`, { status: 'sent' })).expect(200).data;
  await drained(server, workspace);
  expectShown(String(smtp.taken.at(-1)!.mail.html));
  (await api().patch(`/quotes/${id}`, { custom_fields: { ...values, count: 99 } })).expect(200);
  expectShown(await pageOf(public_url));
  const pdf = Buffer.from(await (await fetch(`${String(public_url)}/pdf`)).arrayBuffer());
  const drawn = pagesOf(pdf).join('');
  for (const part of ['Wings', 'March 1, 2027', '1,234.5', 'Kim Keeper']) expect(drawn).toContain(part);
  expect(drawn).not.toContain('secret');
  const [field] = (await api().get('/custom-fields?object=quote&key=count')).expect(200).rows;
  (await api().patch(`/custom-fields/${field?.id ?? 0}`, { visible_to_customers: false })).expect(200);
  const page = await pageOf(public_url);
  expect(page).toContain('March 1, 2027');
  expect(page).not.toContain('1,234.5');
});

it('are all that a contact is told of custom fields', async () => {
  const [contact] = (await api().get('/contacts?email=ada@people.example')).expect(200).rows;
  const lines = (await api().get(`/contacts/${contact?.id ?? 0}/export`)).expect(200).text.trimEnd().split('\n');
  const told = lines.map((line) => JSON.parse(line) as { kind: string; record: Fields });
  for (const kind of ['contact', 'ticket']) {
    const { record } = told.find((each) => each.kind === kind)!;
    expect(Object.keys(record.custom_fields as object).sort()).toEqual(['approved', 'count', 'due', 'keeper', 'wings']);
  }
  expect(lines.join('')).not.toContain(SECRET);
});
