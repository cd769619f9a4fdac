import { ImportError } from './api-client.mjs';

/** What is wrong, as customers choose it: a custom field of tickets that they see, too. */
const DEVICES = ['laptop', 'phone', 'printer', 'account'];
const CARD = '4111 1111 1111 1111';
const ADDRESS = 'dora.quist@customers.example';

/** What Mara looks at all day: saved lists, whose counts are exact. */
const VIEWS = [
  { name: 'Day: nobody has it', filters: { status: 'open', assigned_to: 'none' } },
  { name: 'Day: waits for a customer', filters: { status: 'on_hold' } },
  { name: 'Day: laptops, urgent first', filters: { status: 'open,in_progress', 'custom_fields.device': 'laptop' } },
];

/** The device of the ticket in a row of the file. */
export const deviceOf = (row) => DEVICES[row % DEVICES.length];

/** A field of tickets, and the lists that are looked at; found again when the day is played once more. */
export async function setUpCare(desk) {
  const options = DEVICES.map((value) => ({ value, label: value[0].toUpperCase() + value.slice(1) }));
  const field = {
    object: 'ticket',
    key: 'device',
    label: 'Device',
    type: 'select',
    options,
    visible_to_customers: true,
  };
  await desk.ensure('/custom-fields', field, 'key');
  const more = { resource: 'tickets', sort: '-priority,created_at', sharing: 'everyone' };
  const columns = ['code', 'subject', 'priority', 'assignee', 'custom_fields'];
  const views = [];
  for (const view of VIEWS) views.push(await desk.ensure('/views', { ...more, ...view, columns }));
  return { views };
}

/** What Mara sees when she looks at her lists. */
export async function lookAtLists(desk, { views }, hour) {
  desk.as = 'mara';
  const { counts } = await desk.send('GET', `/views/counts?ids=${views.map(({ id }) => id).join(',')}`);
  const words = views.map(
    ({ id, name }) => `${counts.find((one) => one.id === id)?.count} ${name.replace('Day: ', '')}`,
  );
  desk.say(`${hour}  Mara looks at her lists: ${words.join(' · ')}`);
}

/** Mara marks all printers in one go, after a look at what that would be, and takes it back: it was the wrong tag. */
export async function inOneGo(desk) {
  desk.as = 'mara';
  const [sample] = await desk.list('/tickets?custom_fields.device=printer&sort=id&per_page=1');
  if (!sample) return;
  const job = await desk.send('POST', '/tickets/bulk', {
    filter: { 'custom_fields.device': 'printer' },
    actions: [{ type: 'add_tags', tags: 'recall' }],
  });
  const done = await ended(desk, '/bulk-jobs', job);
  const undo = await ended(desk, '/bulk-jobs', await desk.send('POST', `/bulk-jobs/${job.id}/undo`));
  const left = (await desk.list('/tickets?tags=recall&fields=id&per_page=100')).length;
  check(left === 0, `${left} tickets still have the tag that was taken back`);
  desk.say(`       Mara tagged ${done.done_count} printers in one go, and took it back from ${undo.done_count}`);
}

/** A customer writes down the number of a card. Ines takes it out, and asks Kai, whom her note names. */
export async function cardNumber(desk, { team }, day) {
  desk.as = null;
  const ticket = await desk.send('POST', '/tickets', {
    external_id: `day ${day.toISODate()} card`,
    subject: 'A new battery, please',
    description: 'I pay by card.',
    requester_email: ADDRESS,
    requester_name: 'Dora Quist',
    custom_fields: { device: 'laptop' },
    channel: 'portal',
    team_id: team.id,
  });
  const body = { body: `My card is ${CARD}, good until 12/30.`, author_type: 'requester' };
  const comment = await desk.send('POST', `/tickets/${ticket.id}/comments`, body);
  desk.as = 'mara';
  await desk.send('POST', `/tickets/${ticket.id}/comments/${comment.id}/redact`, { text: CARD });
  const note = { body: '@kai what does a battery cost?', is_internal: true };
  const { mentioned_ids: named } = await desk.by('ines', 'notes', () =>
    desk.send('POST', `/tickets/${ticket.id}/comments`, note),
  );
  check(named.includes(desk.people.kai.id), 'the note names nobody');
  await desk.by('ines', 'resolved', () => desk.send('PATCH', `/tickets/${ticket.id}`, { status: 'resolved' }));
  const said = await desk.list(`/tickets/${ticket.id}/comments`);
  const history = await desk.list(`/tickets/${ticket.id}/history?per_page=100`);
  check(!JSON.stringify([said, history]).includes(CARD), 'the number of the card is still there');
  desk.say(
    '       Dora wrote down the number of her card; Mara took it out, of the history, too; Ines asked @kai for the price',
  );
  return ticket;
}

/** In the evening Dora asks to be forgotten, and is, everywhere. */
export async function forget(desk, ticket) {
  desk.as = 'mara';
  const [contact] = await desk.list(`/contacts?email=${ADDRESS}`);
  check(contact, 'nobody knows Dora');
  const erasure = await ended(desk, '/erasures', await desk.send('POST', `/contacts/${contact.id}/erase`));
  const left = await desk.send('GET', `/tickets/${ticket.id}`);
  check(left.requester_email === null && left.subject === '[erased]', `the ticket says "${left.subject}"`);
  check((await desk.list(`/contacts?q=${ADDRESS}`)).length === 0, 'she is still found');
  desk.say(
    `17:10  Dora asks to be forgotten: ${erasure.record_count} records and ${erasure.change_count} copies have lost her, ${erasure.left_count} were left`,
  );
}

/** A job, once it is over. */
async function ended(desk, path, { id }) {
  for (;;) {
    const job = await desk.send('GET', `${path}/${id}`);
    if (!['queued', 'running'].includes(job.status)) return job;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function check(isRight, problem) {
  if (!isRight) throw new ImportError(`The day went wrong: ${problem}.`);
}
