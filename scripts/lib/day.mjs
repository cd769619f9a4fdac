import { DateTime } from 'luxon';
import { ImportError } from './api-client.mjs';
import { AGENTS, DUTIES, PEOPLE, setUp } from './day-cast.mjs';
import { cardNumber, deviceOf, forget, inOneGo, lookAtLists, setUpCare } from './day-care.mjs';
import { Desk } from './day-desk.mjs';
import { closePost, mailRound, openPost } from './day-mail.mjs';
import { readTicketFile } from './ticket-file.mjs';
import { subjectOf } from './ticket-import.mjs';

const ZONE = 'Europe/Berlin';
/** When tickets come in, and what share of them. */
const HOURS = [
  ['09:00', 0.25],
  ['10:30', 0.3],
  ['13:30', 0.25],
  ['15:00', 0.2],
];
const PRIORITIES = ['medium', 'low', 'medium', 'high', 'medium'];
/** Three of them come by mail. */
const ENOUGH_FOR_MAIL = 16;
const SCORES = [5, 4, 5, 3, 5, 2];
/** Open tickets that somebody gets through in one go. */
const AT_A_STRETCH = 12;

/**
 * Plays one working day of six people through the API of a sandbox: tickets come in, are answered, asked back, merged, escalated and
 * resolved, while the clock goes from nine to five; in the evening there are reports.
 *
 * @param client of a sandbox
 * @param file CSV of tickets (`document`, `topic_group`)
 * @param tickets how many of them come in
 * @param say told each line
 */
export async function playDay({ client, file, tickets, say }) {
  const desk = new Desk(client, say);
  const { is_sandbox, now } = await desk.send('GET', '/sandbox/clock');
  if (!is_sandbox)
    throw new ImportError(
      'This workspace is no sandbox, and a day would take a day; take the demo, or one made with "workspace create --sandbox".',
    );
  const day = nextWorkday(now);
  await desk.clock({ set: at(day, '08:30') });
  say(`${day.toFormat('cccc d LLLL yyyy')}, ${ZONE}`);
  const tools = await setUp(desk, ZONE);
  const care = await setUpCare(desk);
  say(
    `08:30  Mara has the desk ready: ${PEOPLE.length} people, hours, promises, a rule, a macro, a ready answer, a field and lists`,
  );
  const mail = tickets < ENOUGH_FOR_MAIL ? null : await openPost(desk);
  try {
    return await play(desk, { day, tools, care, file, tickets, mail });
  } finally {
    if (mail !== null) await closePost(desk, mail);
  }
}

async function play(desk, { day, tools, care, file, tickets, mail }) {
  const texts = readTicketFile(file, tickets)[Symbol.asyncIterator]();
  const came = [];
  let asked = null;
  for (const [index, [hour, share]] of HOURS.entries()) {
    await desk.clock({ set: at(day, hour) });
    const left = tickets - came.length;
    const count = index === HOURS.length - 1 ? left : Math.round(tickets * share);
    const byMail = index === 0 && mail !== null ? await mailRound(desk, mail, tools, day) : [];
    const wave = await arrive(desk, texts, count - byMail.length, tools, day);
    came.push(...byMail, ...wave);
    desk.say(`${hour}  ${count} tickets come in, ${came.length} so far`);
    if (index === 1) asked = await cardNumber(desk, tools, day);
    if (index === 2) await leaveEarly(desk, day);
    if (index === 3) await inOneGo(desk);
    await lookAtLists(desk, care, '     ');
    await desk.clock({ advance: 'PT20M' });
    await lead(desk, wave);
    for (const key of AGENTS) await work(desk, key, tools);
    await note(desk, wave);
    await customersReply(desk);
  }
  await desk.clock({ set: at(day, '17:00') });
  await customersRate(desk, came);
  await forget(desk, asked);
  return evening(desk, day, [...came, asked]);
}

/** Monday to Friday, the first that begins after a moment. */
function nextWorkday(iso) {
  let day = DateTime.fromISO(iso, { zone: ZONE }).plus({ days: 1 }).startOf('day');
  while (day.weekday > 5) day = day.plus({ days: 1 });
  return day;
}

function at(day, hour) {
  const [h, m] = hour.split(':').map(Number);
  return day.set({ hour: h, minute: m }).toUTC().toISO();
}

/** Customers write: through the portal or by mail, a few with a file. */
async function arrive(desk, texts, count, { team }, day) {
  desk.as = null;
  const wave = [];
  for (let place = 0; place < count; place++) {
    const { value, done } = await texts.next();
    if (done) break;
    const { row, document, topic_group } = value;
    const file = row % 10 === 3 ? await desk.upload(`log-${row}.txt`, document) : null;
    const ticket = await desk.send('POST', '/tickets', {
      external_id: `day ${day.toISODate()} ${row}`,
      subject: subjectOf(document),
      description: document,
      channel: row % 3 === 0 ? 'email' : 'portal',
      priority: PRIORITIES[row % PRIORITIES.length],
      // The second of a wave is of the same customer as the first, about the same.
      requester_email: place === 1 ? wave[0].requester_email : `customer${row % 60}@customers.example`,
      team_id: team.id,
      custom_fields: { device: deviceOf(row) },
      tags: [topic_group.toLowerCase().replaceAll(/[^a-z]+/g, '-')],
      ...(file ? { attachment_ids: [file.id] } : {}),
    });
    wave.push(ticket);
  }
  return wave;
}

/** Somebody answers what is theirs, the most urgent first: most is done, some has to be asked about. */
async function work(desk, key, { ask, response }) {
  const { id } = desk.people[key];
  const mine = await desk.list(`/tickets?assigned_to=${id}&status=open&sort=-priority,created_at&per_page=100`);
  for (const [place, ticket] of mine.slice(0, AT_A_STRETCH).entries()) {
    if (place % 5 === 4) {
      await desk.by(key, 'asked', () => desk.send('POST', `/tickets/${ticket.id}/macros/${ask.id}`));
      continue;
    }
    const { body } = await desk.send('POST', `/canned-responses/${response.id}/render`, { ticket_id: ticket.id });
    await desk.by(key, 'answered', () => desk.send('POST', `/tickets/${ticket.id}/comments`, { body }));
    await desk.by(key, 'resolved', () => desk.send('PATCH', `/tickets/${ticket.id}`, { status: 'resolved' }));
  }
  const { answered, asked, resolved } = desk.doneBy(key);
  desk.say(`       ${nameOf(key)}: ${answered} answered, ${asked} asked about, ${resolved} resolved by now`);
}

/** Mara puts together what one customer wrote twice, and hands on what nobody has come to. */
async function lead(desk, wave) {
  const open = await desk.list('/tickets?status=open&sort=created_at&per_page=100');
  const earlier = new Map();
  const twin = open.find(({ id, requester_email }) => {
    if (earlier.has(requester_email)) return true;
    earlier.set(requester_email, id);
    return false;
  });
  if (twin) {
    const body = { into_id: earlier.get(twin.requester_email) };
    await desk.by('mara', 'merged', () => desk.send('POST', `/tickets/${twin.id}/merge`, body));
  }
  const stuck = open.find(({ id }) => id !== twin?.id && wave.some((one) => one.id === id));
  if (stuck) {
    const body = { reason: 'Nobody has come to it.', to_user_id: desk.people.lea.id };
    await desk.by('mara', 'escalated', () => desk.send('POST', `/tickets/${stuck.id}/escalate`, body));
  }
}

/** Kai answers no customer, but knows what things cost. */
async function note(desk, wave) {
  for (const { id } of wave.filter((_, place) => place % 12 === 5)) {
    const body = { body: 'A new one is in stock, 89 EUR.', is_internal: true };
    await desk.by('kai', 'notes', () => desk.send('POST', `/tickets/${id}/comments`, body));
  }
}

/** Some answer what they were asked, which wakes their ticket. */
async function customersReply(desk) {
  desk.as = null;
  const asked = await desk.list('/tickets?status=on_hold&tags=asked&sort=id&per_page=100');
  for (const { id } of asked.filter((_, place) => place % 2 === 0)) {
    const body = { body: 'It is the one at the window.', author_type: 'requester' };
    await desk.send('POST', `/tickets/${id}/comments`, body);
    await desk.send('PATCH', `/tickets/${id}`, { status: 'open' });
  }
}

/** Tom goes at half past one; what he leaves goes to the others. */
async function leaveEarly(desk, day) {
  desk.as = 'mara';
  await desk.send('PATCH', `/users/${desk.people.tom.id}`, {
    availability: 'offline',
    out_of_office: {
      from: at(day, '13:00'),
      to: at(day.plus({ days: 1 }), '08:00'),
      reassign_open_tickets: true,
    },
  });
  desk.say('13:30  Tom is out for the rest of the day');
}

async function customersRate(desk, came) {
  desk.as = null;
  const ids = new Set(came.map(({ id }) => id));
  const resolved = await desk.list('/tickets?status=resolved&sort=id&per_page=100&fields=id,csat_score');
  const rated = resolved.filter(({ id, csat_score }, place) => ids.has(id) && csat_score === null && place % 3 === 0);
  for (const [place, { id }] of rated.entries())
    await desk.send('POST', `/tickets/${id}/rate`, { score: SCORES[place % SCORES.length] });
  desk.say(`17:00  ${rated.length} customers say how it was`);
}

/** What came of it, by person and as a whole. */
async function evening(desk, day, came) {
  desk.as = 'mara';
  const window = `from=${day.toISODate()}&to=${day.toISODate()}`;
  const sla = await desk.send('GET', `/reports/sla?${window}`);
  const csat = await desk.send('GET', `/reports/csat?${window}`);
  const left = (await desk.list('/tickets?status=open,in_progress,on_hold&fields=id&per_page=100')).length;
  desk.say('');
  for (const { key } of PEOPLE) {
    const does = DUTIES[key] ?? 'answers customers';
    const done = Object.entries(desk.doneBy(key)).filter(([, times]) => times > 0);
    const words = done.map(([what, times]) => `${times} ${what}`).join(', ') || 'nothing to do';
    desk.say(`${nameOf(key).padEnd(12)} ${does.padEnd(42)} ${words}`);
  }
  const kept = sla.total.compliance_pct === null ? 'none was decided' : `${sla.total.compliance_pct} % kept`;
  desk.say('');
  desk.say(
    `Tickets ${came.length}, still to be done in the workspace ${left}; promises: ${sla.total.met} met, ${sla.total.breached} missed (${kept})`,
  );
  desk.say(`Ratings ${csat.total.responses ?? 0}, on average ${csat.total.average ?? '-'}`);
  return { came: came.length, left, sla: sla.total };
}

function nameOf(key) {
  return PEOPLE.find((person) => person.key === key).name;
}
