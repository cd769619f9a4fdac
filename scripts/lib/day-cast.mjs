/** Who works on the day, and what they work with. Everything is found again by its name when the day is played once more. */

export const PEOPLE = [
  { key: 'mara', name: 'Mara Lindt', role: 'admin', title: 'Team lead' },
  { key: 'jonas', name: 'Jonas Weber', role: 'agent', title: 'Support engineer', skills: ['hardware'] },
  { key: 'ines', name: 'Ines Ortega', role: 'agent', title: 'Support engineer', skills: ['access'] },
  { key: 'tom', name: 'Tom Brandt', role: 'agent', title: 'Support engineer', skills: ['hardware', 'access'] },
  { key: 'lea', name: 'Lea Moreau', role: 'agent', title: 'Support engineer', skills: ['storage'] },
  { key: 'kai', name: 'Kai Sato', role: 'light_agent', title: 'Purchasing' },
];

/** What those do who answer no customers. */
export const DUTIES = { mara: 'leads: sets up, escalates, reports', kai: 'knows prices: internal notes only' };

/** Those who do. */
export const AGENTS = ['jonas', 'ines', 'tom', 'lea'];

const minutes = (first, solution) => ({ first_response_minutes: first, resolution_minutes: solution });
const OFFICE = [
  ['09:00', '12:30'],
  ['13:00', '17:00'],
];
const WEEK = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, OFFICE]));

/**
 * Sets the desk up, as its lead: people, their team, hours, promises, rules and macros.
 *
 * @param desk what is done as whom (`Desk`)
 * @param zone IANA name: where the office is
 */
export async function setUp(desk, zone) {
  const team = await desk.ensure('/teams', { name: 'Service desk of the day' });
  const people = {};
  for (const { key, ...person } of PEOPLE) {
    const body = { ...person, email: `${key}@desk.example`, team_ids: [team.id], timezone: zone };
    people[key] = await desk.ensure('/users', body, 'email');
    await desk.send('PATCH', `/users/${people[key].id}`, { availability: AGENTS.includes(key) ? 'online' : 'away' });
  }
  desk.people = people;
  // From here on it is done by somebody.
  desk.as = 'mara';
  await desk.send('PATCH', `/teams/${team.id}`, {
    lead_user_id: people.mara.id,
    assignment: { method: 'least_loaded', unassigned_after_minutes: 30 },
  });
  const schedule = await desk.ensure('/schedules', { name: 'Hours of the day', timezone: zone, weekly: WEEK });
  await desk.ensure('/sla', {
    name: 'Promises of the day',
    conditions: { all: [{ field: 'team_id', operator: 'eq', value: team.id }] },
    targets: { urgent: minutes(30, 120), high: minutes(60, 240), medium: minutes(120, 420), low: minutes(240, 840) },
    schedule_id: schedule.id,
  });
  await desk.ensure('/automations', {
    name: 'What cannot work is urgent',
    trigger: 'ticket.created',
    conditions: { all: [{ field: 'description', operator: 'contains', value: 'urgent' }] },
    actions: [
      { type: 'set_field', field: 'priority', value: 'urgent' },
      { type: 'add_tags', tags: 'cannot-work' },
    ],
  });
  const ask = await desk.ensure('/macros', {
    name: 'Ask which device it is',
    actions: [
      { type: 'add_comment', body: 'Hello, which device is it? Its number is on the back.' },
      { type: 'set_field', field: 'status', value: 'on_hold' },
      { type: 'add_tags', tags: 'asked' },
    ],
  });
  const response = await desk.ensure(
    '/canned-responses',
    {
      title: 'It is done',
      body: 'Hello,\n\n**{{ticket.subject}}** is done. Tell us when it is not.\n\n{{agent.name}}',
    },
    'title',
  );
  return { team, ask, response };
}
