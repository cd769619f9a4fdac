import { Redis } from 'ioredis';
import { randomInt } from 'node:crypto';
import type { Api, Fields } from './api';
import { make, makeTicket, makeUser } from './cast';
import { testServices } from './services';
import type { Sql } from './sql';
import { uploaded } from './uploads';
import type { TestWorkspace } from './workspace';

/** Somebody whose names, numbers and words nobody else has. */
export interface Person {
  email: string;
  name: string;
  phone: string;
  mobile: string;
  /** A word that only they say. */
  word: string;
  /** Regular expression of whatever they are known by, each part alone. */
  known: string;
  /** Regular expression of whatever tells of them, each part alone. */
  pattern: string;
}

const letters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCharCode(97 + randomInt(26))).join('');

export function newPerson(): Person {
  const [first, last, word] = [`Zyx${letters(9)}`, `Quill${letters(9)}`, `Said${letters(9)}`];
  const digits = Array.from({ length: 6 }, () => randomInt(1, 10));
  const [a, b, c, d, e, f] = digits.map(String);
  // Either number, as it may be written; hexadecimal ids have digits, too.
  const number = `(?<![0-9a-f])(49|0)[^0-9a-z]{0,3}(30|170)[^0-9a-z]{0,3}(90|55)${digits.join('[^0-9a-z]{0,3}')}`;
  const email = `${first}.${last}@people.example`.toLowerCase();
  // Inside of base64: what is the same wherever the address begins, from its second letter on.
  const runs = [0, 1, 2].map((at) => Buffer.from(email.slice(at, 24 + at)).toString('base64'));
  return {
    email,
    name: `${first} ${last}`,
    phone: `+49 30 90${a}${b}${c}${d}${e}${f}`,
    mobile: `+49 170 55${a} ${b}${c}${d}${e}${f}`,
    word,
    known: [first, last, number, ...runs].join('|'),
    pattern: [first, last, word, number, ...runs].join('|'),
  };
}

/** The person's own ticket, and what else there is of them. */
export interface Traces {
  contact: Fields;
  ticket: Fields;
  /** A ticket of somebody else that speaks of them. */
  other: Fields;
  agentComment: Fields;
  /** Headers of the request that made the ticket, and its body. */
  request: { body: Record<string, unknown>; headers: Record<string, string> };
}

/** Lets a person appear wherever a workspace keeps texts. */
export async function appearEverywhere(
  { id: workspaceId, api }: TestWorkspace,
  sql: Sql,
  person: Person,
): Promise<Traces> {
  const { email, name, phone, mobile, word } = person;
  const [first, last] = name.split(' ');
  const about = `${name} <${email}>, ${phone}`;
  const eve = await makeUser(api, { name: 'Eve Agent', title: 'Support' });
  const company = await make(api, '/companies', { notes: `Ask ${about}`, custom_fields: { contact: name } });
  const contact = await make(api, '/contacts', {
    ...{
      email,
      name,
      phone,
      mobile,
      job_title: word,
      notes: word,
      tags: word,
      external_id: word,
      custom_fields: { a: word },
    },
    company_id: company.id,
  });
  const body = {
    subject: `${word}: nothing works`,
    description: `I am ${name}, ${phone.replaceAll(' ', '')}. ${word}`,
    requester_email: email,
    requester_name: name,
    channel: 'email',
    custom_fields: { caller: email },
    tags: [last, `${first}-tag`, 'lamp'].join(','),
  };
  const headers = { 'idempotency-key': `ticket-of-${contact.id}` };
  const ticket = (await api.post('/tickets', body, headers)).expect(201).data;
  const file = await uploaded(api, `${about} ${word}`, `${first}.txt`);
  const reply = { body: `${word} ${word}`, author_type: 'requester', attachment_ids: [file.id] };
  const said = (await api.post(`/tickets/${ticket.id}/comments`, reply)).expect(201).data;
  (await api.patch(`/tickets/${ticket.id}/comments/${said.id}`, { body: `${word} again` })).expect(200);
  const answer = {
    body: `Hi ${first}, is ${mobile.replaceAll(' ', '')} still your number, Ms ${last}? The lamp is blue.`,
  };
  const agentComment = (await api.post(`/tickets/${ticket.id}/comments`, answer)).expect(201).data;
  const changed = { subject: `${word} twice`, assigned_to: eve.id, tags: `lamp,of_${last},${first}-tag` };
  (await api.patch(`/tickets/${ticket.id}`, changed)).expect(200);
  (await api.post(`/tickets/${ticket.id}/escalate`, { reason: `${name} is angry` })).expect(200);
  (await api.patch(`/tickets/${ticket.id}`, { status: 'resolved' })).expect(200);
  (await api.post(`/tickets/${ticket.id}/rate`, { score: 2, comment: word })).expect(200);
  const encoded = `To: =3C${email.toUpperCase().replace('@', '=40')}=3E ${Buffer.from(`To: ${email}; others`).toString('base64')}`;
  const other = await makeTicket(api, {
    subject: `Call ${name} back`,
    description: `mailto:${encodeURIComponent(email)} or (0)30/${phone.slice(7)} & <b>${last}, ${first}</b> ${encoded}`,
    custom_fields: { line: Number(phone.replaceAll(/\D/g, '')) },
    requester_email: 'somebody@else.example',
    cc_emails: [email, 'third@else.example'],
  });
  (await api.patch(`/contacts/${contact.id}`, { name: `${first} Maria ${last}` })).expect(200);
  await sell(api, person, contact.id);
  await mention(api, person, { contact: contact.id, ticket: ticket.id });
  await log(sql, workspaceId, person, ticket);
  return { contact, ticket, other, agentComment, request: { body, headers } };
}

/** Leads, deals, quotes and meetings. */
async function sell(api: Api, { email, name, phone, word }: Person, contact: number): Promise<void> {
  await make(api, '/crm/leads', { name, email: email.toUpperCase(), phone, notes: word, utm: { source: word } });
  await make(api, '/crm/leads', { name: `Friend of ${name}`, email: 'friend@else.example', notes: `via ${email}` });
  const stages = (await api.get('/crm/stages?type=open&per_page=1')).rows;
  const deal = { title: `Deal with ${name}`, stage_id: stages[0]?.id, contact_id: contact, next_step: `Call ${phone}` };
  (await api.post('/crm/deals', deal)).expect(201);
  const items = [{ name: 'Printer', description: `for ${name}`, unit_price: 1 }];
  const quote = {
    title: `Offer for ${name}`,
    currency: 'EUR',
    contact_id: contact,
    recipient_email: email,
    header: `Dear ${name}`,
    items,
  };
  const { id } = (await api.post('/quotes', quote)).expect(201).data;
  for (const status of ['sent', 'rejected'])
    (
      await api.post(`/quotes/${id}/status`, {
        status,
        ...(status === 'rejected' ? { reason: `${name} says ${word}` } : {}),
      })
    ).expect(200);
  const host = await makeUser(api);
  const attendees = [
    { email, name },
    { email: 'third@else.example', name: 'Third' },
  ];
  const meeting = {
    title: `Visit of ${name}`,
    starts_at: '2031-05-05T09:00:00Z',
    duration_minutes: 30,
    host_id: host.id,
    attendees,
    internal_notes: email,
  };
  (await api.post('/meetings', meeting)).expect(201);
}

/** What agents wrote down for themselves and others. */
async function mention(
  api: Api,
  { email, name, phone, word }: Person,
  ids: { contact: number; ticket: number },
): Promise<void> {
  const about = `${name} <${email}>, ${phone}`;
  const asset = await make(api, '/assets', {
    assigned_contact_id: ids.contact,
    notes: about,
    location: `Desk of ${name}`,
  });
  (await api.patch(`/assets/${asset.id}`, { location: `Home of ${name}` })).expect(200);
  const question = { message: `How is the ${word} opened? I am ${about}`, contact_email: email };
  (await api.post('/ai-engine/conversations', question)).expect(201);
  const shelf = (await api.get('/kb/categories?per_page=1')).rows[0]?.id;
  const article = {
    title: `Thanks to ${name}`,
    body: `# Found by ${name}\n\n${about}`,
    tags: 'thanks',
    category_id: shelf,
  };
  const kept = (await api.post('/kb/articles', article)).expect(201).data;
  (await api.patch(`/kb/articles/${kept.id}`, { body: `# Found again by ${name}` })).expect(200);
  (
    await api.post(`/kb/articles/${kept.id}/feedback`, { helpful: false, comment: word, contact_id: ids.contact })
  ).expect(201);
  await make(api, '/categories', { description: about });
  await make(api, '/teams', { description: about });
  (await api.post('/canned-responses', { title: `For ${name}`, body: about })).expect(201);
  (await api.post('/views', { name: `Of ${name}`, filters: { requester_email: email } })).expect(201);
  (await api.post('/macros', { name: `For ${name}`, actions: [{ type: 'add_comment', body: about }] })).expect(201);
  const rule = {
    trigger: 'ticket.created',
    is_active: false,
    conditions: { all: [{ field: 'requester_email', operator: 'eq', value: email }] },
  };
  (await api.post('/automations', { ...rule, name: `VIP ${name}`, actions: [{ type: 'stop' }] })).expect(201);
  const report = { name: `For ${name}`, report: 'sla', schedule: 'weekly', recipients: [email, 'lead@else.example'] };
  (await api.post('/report-schedules', report)).expect(201);
  const bulk = { filter: { requester_email: email }, actions: [{ type: 'add_tags', tags: 'vip' }] };
  (await api.post('/tickets/bulk', bulk)).expect(202);
}

/** What deliveries, mail and rules leave behind. */
async function log(sql: Sql, workspaceId: number, { email, name, word }: Person, ticket: Fields): Promise<void> {
  const said = JSON.stringify({ ticket: { requester: name, subject: word } });
  const event = `(SELECT e.uid FROM events e WHERE e.workspace_id = $1 AND e.object = 'ticket' AND e.object_id = ${ticket.id} ORDER BY e.id LIMIT 1)`;
  const run = (text: string, ...values: unknown[]): Promise<unknown> => sql.rows(text, [workspaceId, ...values]);
  await run(
    `WITH w AS (INSERT INTO webhooks (workspace_id, url, events, secret_sealed, secret_hint, is_active, status) VALUES ($1, 'http://127.0.0.1:9/' || $3, '{ticket.*}', '', '', false, 'paused') RETURNING id)
     INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_row, event_id, event, status, response_body)
     SELECT $1, w.id, 0, ${event}, 'ticket.created', 'failed', $2 FROM w`,
    ...[said, name.replace(' ', '%20')],
  );
  await run(
    `WITH i AS (INSERT INTO integrations (workspace_id, provider, name) VALUES ($1, 'webhook', $3) RETURNING id)
     INSERT INTO integration_logs (workspace_id, integration_id, direction, event, status, url, request_headers, request_body, error)
     SELECT $1, i.id, 'inbound', 'mail.received', 'failed', 'imap://x/' || $4, json_build_object('From', $4::text, 'Subject', $5::text)::jsonb, $2, json_build_object('code', 'odd', 'message', $4::text)::jsonb FROM i`,
    ...[`${word} ${said}`, name, email, word],
  );
  await run(
    `WITH m AS (INSERT INTO outgoing_mails (workspace_id, status, message_id, recipients, subject, body, html, letter, ticket_id) VALUES
       ($1, 'sent', '<a@x>', ARRAY[$2::text], $3, $3, '<p>' || $3 || '</p>', json_build_object('heading', $3::text), ${ticket.id}),
       ($1, 'queued', '<b@x>', ARRAY[$2::text, 'b@else.example'], $3, $3, NULL, NULL, NULL) RETURNING id)
     INSERT INTO outgoing_mail_recipients (workspace_id, mail_id, address) SELECT $1, id, $2 FROM m`,
    ...[email, word],
  );
  await run(`INSERT INTO mail_bounces (workspace_id, address, reason) VALUES ($1, $2, '550 <' || $2 || '>')`, email);
  await run(
    `INSERT INTO mail_messages (workspace_id, message_id, direction, ticket_id, sender) VALUES ($1, '<' || $2 || '>', 'in', NULL, $2), ($1, '<2@x>', 'in', ${ticket.id}, $2)`,
    email,
  );
  await run(
    `INSERT INTO automation_runs (workspace_id, automation_version, automation_name, object, object_id, event, root_event_id, depth, status, conditions, actions, started_at)
     VALUES ($1, 1, $3, 'ticket', ${ticket.id}, 'ticket.created', 'root', 0, 'failed',
       json_build_array(json_build_object('field', 'subject', 'operator', 'is', 'expected', 'x', 'actual', $2::text, 'result', false),
         json_build_object('field', 'tags', 'operator', 'contains_any', 'expected', ARRAY[$4::text], 'actual', ARRAY['lamp', $4::text], 'result', true)),
       json_build_array(json_build_object('type', 'send_email', 'status', 'done', 'after', json_build_object('subject', $2::text, 'mail_id', 7)),
         json_build_object('type', 'add_tags', 'status', 'done', 'before', json_build_object('tags', 'lamp'), 'after', json_build_object('tags', 'lamp,' || $4::text)))::jsonb, now())`,
    ...[word, name, `${name.toLowerCase().split(' ')[0]}-tag`],
  );
  await run(
    `INSERT INTO ai_predictions (workspace_id, ticket_id, task, value, label, alternatives, method, status, actual_value, input_hash)
     VALUES ($1, ${ticket.id}, 'tags', $2, $2, '[]', 'x', 'pending', $2, 'x')`,
    `lamp,${name.toLowerCase().split(' ')[0]}-tag`,
  );
  await run(
    `INSERT INTO search_words (workspace_id, word) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
    name.toLowerCase().split(' '),
  );
}

/** Where one of the patterns is found: tables, as their rows are dumped, those of the workspace and those of none, and keys of Redis. */
export async function tracesOf(sql: Sql, { id }: Pick<TestWorkspace, 'id'>, pattern: string): Promise<string[]> {
  const tables = await sql.rows<{ name: string; own: boolean }>(
    `SELECT t.table_name AS name, EXISTS (SELECT FROM information_schema.columns c
       WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.column_name = 'workspace_id') AS own
     FROM information_schema.tables t WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name, own } of tables) {
    // Beside rows of no workspace those of this one alone: a run has made hundreds of others, which are long to read.
    const [hit] = own
      ? await sql.rows(
          `SELECT FROM "${name}" x WHERE (workspace_id = $2 OR workspace_id IS NULL) AND x::text ~* $1 LIMIT 1`,
          [pattern, id],
        )
      : await sql.rows(`SELECT FROM "${name}" x WHERE x::text ~* $1 LIMIT 1`, [pattern]);
    if (hit) found.push(name);
  }
  return [...found, ...(await keysWith(new RegExp(pattern, 'i')))];
}

/** Names of keys, and what they hold, as bytes. */
async function keysWith(pattern: RegExp): Promise<string[]> {
  const redis = new Redis(testServices().redisUrl);
  const found: string[] = [];
  try {
    for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>)
      for (const key of keys) {
        const dump = await redis.dumpBuffer(key).catch(() => null);
        if (pattern.test(key) || (dump && pattern.test(dump.toString('latin1')))) found.push(`redis ${key}`);
      }
  } finally {
    redis.disconnect();
  }
  return found;
}
