import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ErasureRunner } from '../../src/areas/privacy/erasure-runner';
import { ErasuresService } from '../../src/areas/privacy/erasures.service';
import { ERASED } from '../../src/platform/area/personal';
import { Database } from '../../src/platform/database/database';
import { Eraser } from '../../src/platform/privacy/eraser';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained, runJob } from '../support/jobs';
import { appearEverywhere, newPerson, type Person, tracesOf } from '../support/person';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

async function erased(api: Api, contactId: number): Promise<Fields> {
  const answer = (await api.post(`/contacts/${contactId}/erase`)).expect(202);
  let erasure = answer.data;
  expect(answer.header('location')).toBe(`/v1/erasures/${erasure.id}`);
  await until('the contact is erased', async () => {
    erasure = (await api.get(`/erasures/${erasure.id}`)).expect(200).data;
    return erasure.status === 'completed';
  });
  return erasure;
}

const read = async (api: Api, path: string): Promise<Fields> => (await api.get(path)).expect(200).data;

/** Vocabularies keep single words, of whomever, that are no names. */
async function nowhere(workspace: TestWorkspace, { pattern, known }: Person): Promise<void> {
  expect((await tracesOf(sql, workspace, pattern)).filter((name) => name !== 'search_words')).toEqual([]);
  expect(await tracesOf(sql, workspace, known)).toEqual([]);
}

/** Files of a workspace that are in the store, and parts of its archives. */
function filesOf({ id }: { id: number }): string[] {
  const folders = [String(id), join('archives', String(id))].map((name) =>
    join(testServices().dataDir, 'attachments', name),
  );
  return folders
    .filter((name) => existsSync(name))
    .flatMap((name) => readdirSync(name, { recursive: true }).map(String));
}

it('what a workspace requires of contacts goes, too', async () => {
  const { api } = await makeWorkspace(server);
  const field = { object: 'contact', key: 'passport', label: 'Passport', type: 'text', is_required: true };
  (await api.post('/custom-fields', field)).expect(201);
  const { id } = await make(api, '/contacts', { custom_fields: { passport: 'X-4711' } });
  await erased(api, id);
  expect((await read(api, `/contacts/${id}`)).custom_fields).toEqual({});
});

describe('a person who is everywhere', () => {
  it('is nowhere in a dump afterwards; what others said, numbers and times stay', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const person = newPerson();
    const { contact, ticket, other, agentComment, request } = await appearEverywhere(workspace, sql, person);
    const archive = (await api.post('/exports', {})).expect(201).data;
    await drained(server, workspace);
    expect(await read(api, `/exports/${archive.id}`)).toMatchObject({ status: 'completed' });
    expect(filesOf(workspace).filter((name) => name.includes('/')).length).toBeGreaterThan(1);
    const before = await tracesOf(sql, workspace, person.pattern);
    expect(before.length).toBeGreaterThan(25);
    const was = await read(api, `/tickets/${ticket.id}`);

    const erasure = await erased(api, contact.id);
    expect(erasure).toMatchObject({ contact_id: contact.id, left_count: 0, kept_count: 0, actor: { type: 'token' } });
    await nowhere(workspace, person);
    await drained(server, workspace);
    await nowhere(workspace, person);
    expect(JSON.stringify(await api.post('/tickets', request.body, request.headers))).not.toMatch(
      new RegExp(person.pattern, 'i'),
    );

    const now = await read(api, `/tickets/${ticket.id}`);
    expect(now).toMatchObject({ subject: ERASED, description: ERASED, requester_email: null, contact_id: contact.id });
    expect(now.tags).toBe(`lamp,of_${ERASED},${ERASED}-tag,escalated,vip`);
    for (const name of [
      'code',
      'status',
      'priority',
      'created_at',
      'resolved_at',
      'csat_score',
      'comment_count',
      'assigned_to',
    ])
      expect(now[name]).toEqual(was[name]);
    const comment = (await api.get(`/tickets/${ticket.id}/comments`)).rows.find(({ id }) => id === agentComment.id);
    expect(comment?.body).toBe(`Hi ${ERASED}, is ${ERASED} still your number, Ms ${ERASED}? The lamp is blue.`);
    expect(await read(api, `/tickets/${other.id}`)).toMatchObject({
      requester_email: 'somebody@else.example',
      cc_emails: ['third@else.example'],
      subject: `Call ${ERASED} back`,
      custom_fields: { line: null },
    });
    expect((await api.get(`/tickets?q=${person.word}`)).meta.total).toBe(0);
    expect((await api.get('/attachments')).meta.total).toBe(0);
    expect(await read(api, `/exports/${archive.id}`)).toMatchObject({ status: 'expired' });
    await until('the files are gone', async () => {
      await runJob(server, 'attachments-waste');
      return filesOf(workspace).every((name) => !name.includes('/'));
    });
    expect(
      await sql.rows('SELECT status FROM outgoing_mails WHERE workspace_id = $1 ORDER BY status', [workspace.id]),
    ).toEqual([{ status: 'failed' }, { status: 'sent' }]);
  });
});

describe('an erased contact', () => {
  it('stays as a record without a word, cannot be changed, and is told of once', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const contact = await make(api, '/contacts', {
      email: 'ada@people.example',
      name: 'Ada Lovelace',
      phone: '+44 20 7946 0000',
    });
    await erased(api, contact.id);
    expect(await read(api, `/contacts/${contact.id}`)).toMatchObject({
      email: `erased-${contact.id}@erased.invalid`,
      name: null,
      phone: null,
      created_at: contact.created_at,
    });
    expect((await api.patch(`/contacts/${contact.id}`, { name: 'Ada' })).expect(422).codes).toEqual({ id: 'erased' });
    const again = (await api.post(`/contacts/${contact.id}/erase`)).expect(202).data;
    expect((await api.get(`/erasures?contact_id=${contact.id}`)).rows).toMatchObject([
      { id: again.id, status: 'completed' },
    ]);
    const types = (await eventsOf(server, workspace, 'contact', contact.id)).map(({ type }) => type);
    expect(types).toEqual(['contact.created', 'contact.erased']);
    await drained(server, workspace);
    const audit = (await api.get(`/audit-logs?resource=contact&resource_id=${contact.id}`)).rows;
    expect(audit.map(({ action }) => action).sort()).toEqual(['created', 'erased']);
    expect(JSON.stringify(audit)).not.toMatch(/lovelace|ada@/i);
    expect((await api.delete(`/contacts/${contact.id}`)).expect(200).data.id).toBe(contact.id);
  });

  it('leaves the address to whoever writes from it next', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const email = 'grace@people.example';
    const first = await makeTicket(api, { requester_email: email, requester_name: 'Grace Hopper' });
    // As a transaction leaves one that began later and ended earlier: it names the contact, so it is theirs.
    const racing = await makeTicket(api, { requester_email: email, description: `${email} is mine` });
    await sql.rows(`UPDATE tickets SET created_at = now() + interval '1 minute' WHERE workspace_id = $1 AND id = $2`, [
      workspace.id,
      racing.id,
    ]);
    const answer = (await api.post(`/contacts/${String(first.contact_id)}/erase`)).expect(202).data;
    const second = await makeTicket(api, {
      requester_email: email,
      requester_name: 'Grace Hopper',
      description: email,
    });
    expect(second.contact_id).not.toBe(first.contact_id);
    await until(
      'the contact is erased',
      async () => (await read(api, `/erasures/${answer.id}`)).status === 'completed',
    );
    expect(await read(api, `/tickets/${second.id}`)).toMatchObject({ requester_email: email, description: email });
    for (const { id } of [first, racing])
      expect(await read(api, `/tickets/${id}`)).toMatchObject({ requester_email: null, description: ERASED });
  });

  it('shares a name with others, who keep it; a ticket of theirs does not', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const user = await makeUser(api, { name: 'Jo Miller' });
    const mine = await makeTicket(api, { requester_email: 'jo@people.example', requester_name: 'Jo Miller' });
    (await api.post(`/tickets/${mine.id}/comments`, { body: 'For Jo Miller' })).expect(201);
    const other = await makeTicket(api, { description: 'Jo Miller of support knows, not jo@people.example.' });
    const foreign = await makeWorkspace(server);
    const elsewhere = await makeTicket(foreign.api, { requester_email: 'jo@people.example' });
    const erasure = await erased(api, Number(mine.contact_id));
    expect(erasure.kept_count).toBe(1);
    expect(await read(api, `/users/${user.id}`)).toMatchObject({ name: 'Jo Miller' });
    expect((await read(api, `/tickets/${other.id}`)).description).toBe(
      'Jo Miller of support knows, not erased@erased.invalid.',
    );
    expect((await api.get(`/tickets/${mine.id}/comments`)).rows).toMatchObject([{ body: `For ${ERASED}` }]);
    expect(await read(foreign.api, `/tickets/${elsewhere.id}`)).toMatchObject({ requester_email: 'jo@people.example' });
  });

  it('must be there, as the client knows it, and is nobody of another workspace', async () => {
    const { api, readApi } = await makeWorkspace(server);
    const foreign = await makeWorkspace(server);
    const contact = await make(api, '/contacts');
    (await readApi.post(`/contacts/${contact.id}/erase`)).expect(403);
    (await foreign.api.post(`/contacts/${contact.id}/erase`)).expect(404);
    (await api.post(`/contacts/${contact.id}/erase`, undefined, { 'if-match': '"77"' })).expect(412);
    expect((await read(api, `/contacts/${contact.id}`)).erased_at).toBeNull();
  });
});

it('goes on where it was when a process dies in a step, and does nothing twice', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const email = 'kill@people.example';
  const tickets: Fields[] = [];
  for (let index = 0; index < 3; index++)
    tickets.push(await makeTicket(api, { requester_email: email, description: email }));
  const database = server.app.get(Database);
  const inside = <T>(work: () => Promise<T>): Promise<T> =>
    database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'test' }, work);
  // Without a job: nobody else takes it.
  await inside(() =>
    database.transaction(async () => {
      await server.app.get(ErasuresService).erase(Number(tickets[0]?.contact_id), null);
      await database.query(`DELETE FROM work WHERE workspace_id = $1 AND kind = 'erasure'`, [workspace.id]);
    }),
  );
  const { id } = (await api.get('/erasures')).rows[0] ?? { id: 0 };
  const job = { id: 0, workspace_id: workspace.id, kind: 'erasure', subject_id: id, group_id: id, attempt: 1 };
  const turn = (): Promise<void> =>
    inside(async () => {
      const { settle } = await server.app.get(ErasureRunner).perform(job);
      if (settle) await database.transaction(settle);
    });
  const eraser = server.app.get(Eraser);
  const real = eraser.step.bind(eraser);
  let steps = 0;
  const step = jest.spyOn(eraser, 'step').mockImplementation(async (person, progress) => {
    const done = await real(person, progress);
    // What the step has written is taken back with its transaction.
    if (++steps === 2) throw new Error('killed');
    return done;
  });
  try {
    await expect(turn()).rejects.toThrow('killed');
    expect(await read(api, `/erasures/${id}`)).toMatchObject({ status: 'running', pass: 1, stage: 0 });
    await until('the contact is erased', async () => {
      await turn();
      return (await read(api, `/erasures/${id}`)).status === 'completed';
    });
  } finally {
    step.mockRestore();
  }
  expect(await read(api, `/erasures/${id}`)).toMatchObject({ record_count: 4, left_count: 0 });
  for (const ticket of tickets)
    expect(await read(api, `/tickets/${ticket.id}`)).toMatchObject({ description: ERASED, requester_email: null });
});

describe('an export of a contact', () => {
  it('has everything of theirs, line by line, and nothing of others', async () => {
    const workspace = await makeWorkspace(server);
    const { api, readApi } = workspace;
    const person = newPerson();
    const { contact, ticket, other } = await appearEverywhere(workspace, sql, person);
    (await api.post(`/tickets/${ticket.id}/comments`, { body: 'internal secret', is_internal: true })).expect(201);
    const answer = (await readApi.get(`/contacts/${contact.id}/export`)).expect(200);
    expect(answer.header('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; record: Fields });
    const kinds = lines.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(
      new Set([
        ...['contact', 'ticket', 'ticket_comment', 'ticket_rating', 'attachment', 'lead', 'deal', 'quote'],
        ...['quote_item', 'quote_event', 'meeting', 'asset', 'kb_article_feedback', 'outgoing_mail'],
        ...['ai_conversation', 'ai_message'],
      ]),
    );
    const own = lines.filter(({ kind }) => kind === 'ticket').map(({ record }) => record.id);
    expect(own).toEqual([ticket.id]);
    expect(own).not.toContain(other.id);
    expect(answer.text).toContain(person.word);
    expect(answer.text).not.toContain('internal secret');
    const foreign = await makeWorkspace(server);
    (await foreign.api.get(`/contacts/${contact.id}/export`)).expect(404);
  });

  it('is read page by page', async () => {
    const { api } = await makeWorkspace(server);
    const contact = await make(api, '/contacts', { email: 'many@people.example' });
    for (let index = 0; index < 60; index++) await makeTicket(api, { requester_email: 'many@people.example' });
    const lines = (await api.get(`/contacts/${contact.id}/export`)).expect(200).text.trimEnd().split('\n');
    expect(lines).toHaveLength(61);
  });
});
