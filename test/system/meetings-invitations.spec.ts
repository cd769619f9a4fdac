import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSmtpServer } from '../support/mail-servers';
import { readCalendar } from '../support/meetings';
import { useSql } from '../support/sql';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();
let workspace: TestWorkspace;
let host: number;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  host = (await makeUser(workspace.api, { name: 'Ines Ortega', email: 'ines@acme.example', timezone: 'Europe/Rome' }))
    .id;
});

const install = async (): Promise<unknown> =>
  (await workspace.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201).data;

const book = async (more: Record<string, unknown> = {}): Promise<number> =>
  (
    await workspace.api.post('/meetings', {
      title: 'Kick-off',
      starts_at: '2031-07-01T09:00:00Z',
      host_id: host,
      attendees: [{ email: 'ada@people.example', name: 'Ada' }],
      ...more,
    })
  ).expect(201).data.id;

/** The mail that has left since the last look, by recipient. */
async function post(): Promise<{ to: string; subject: string; text: string; replyTo: string; ics: string | null }[]> {
  await drained(server, workspace);
  return smtp.taken
    .splice(0)
    .map(({ to, mail }) => ({
      to: to.join(','),
      subject: mail.subject ?? '',
      text: mail.text ?? '',
      replyTo: mail.replyTo?.text ?? '',
      ics: mail.attachments.find(({ contentType }) => contentType === 'text/calendar')?.content.toString() ?? null,
    }))
    .sort((left, right) => left.to.localeCompare(right.to));
}

describe('attendees', () => {
  it('are invited, told of another time and of the end, each with the same entry in its next version', async () => {
    await install();
    const id = await book({
      attendees: [
        { email: 'ada@people.example', name: 'Ada', timezone: 'Asia/Tokyo' },
        { email: 'bob@people.example' },
      ],
      internal_notes: 'zzsecretzz',
    });
    const invited = await post();
    expect(invited.map(({ to, subject }) => [to, subject])).toEqual([
      ['ada@people.example', 'Invitation: Kick-off'],
      ['bob@people.example', 'Invitation: Kick-off'],
    ]);
    expect(invited[0]?.text).toContain('Tuesday, 1 July 2031, 18:00 - 18:30 (Asia/Tokyo)');
    expect(invited[1]?.text).toContain('Tuesday, 1 July 2031, 11:00 - 11:30 (Europe/Rome)');
    expect(invited[0]?.replyTo).toContain('ines@acme.example');
    const uid = readCalendar(invited[0]?.ics ?? null).event.uid;
    (
      await workspace.api.patch(`/meetings/${id}`, {
        starts_at: '2031-07-01T12:00:00Z',
        attendees: [{ email: 'ada@people.example' }],
      })
    ).expect(200);
    const moved = await post();
    expect(moved.map(({ to, subject }) => [to, subject])).toEqual([
      ['ada@people.example', 'Updated: Kick-off'],
      ['bob@people.example', 'Cancelled: Kick-off'],
    ]);
    const [update, removal] = moved.map(({ ics }) => readCalendar(ics));
    expect([update?.method, update?.event.uid, update?.event.sequence]).toEqual(['REQUEST', uid, 1]);
    expect([removal?.method, removal?.event.uid]).toEqual(['CANCEL', uid]);
    (await workspace.api.post(`/meetings/${id}/cancel`, { reason: 'Snow' })).expect(200);
    const [off, ...more] = await post();
    expect([off?.to, off?.subject, more]).toEqual(['ada@people.example', 'Cancelled: Kick-off', []]);
    expect(off?.text).toContain('Reason: Snow');
    const cancelled = readCalendar(off?.ics ?? null);
    expect([cancelled.method, cancelled.event.uid, cancelled.event.sequence]).toEqual(['CANCEL', uid, 2]);
    expect(JSON.stringify([invited, moved, off])).not.toContain('zzsecretzz');
  });

  it('hear of a request once it is confirmed, or that it is declined', async () => {
    await install();
    const [first, second] = [
      await book({ status: 'pending' }),
      await book({ status: 'pending', starts_at: '2031-07-02T09:00:00Z' }),
    ];
    expect(await post()).toEqual([]);
    (await workspace.api.post(`/meetings/${first}/confirm`)).expect(200);
    expect((await post()).map(({ subject, ics }) => [subject, ics === null])).toEqual([
      ['Invitation: Kick-off', false],
    ]);
    (await workspace.api.post(`/meetings/${second}/reject`, {})).expect(200);
    expect((await post()).map(({ subject, ics }) => [subject, ics === null])).toEqual([['Declined: Kick-off', true]]);
  });

  it('who are blocked, our own mailbox, or the host are not written to', async () => {
    await install();
    (await workspace.api.post('/contacts', { email: 'troll@people.example', status: 'blocked' })).expect(201);
    await book({
      attendees: ['troll@people.example', 'helpdesk@acme.example', 'ines@acme.example', 'ada@people.example'].map(
        (email) => ({ email }),
      ),
    });
    expect((await post()).map(({ to }) => to)).toEqual(['ada@people.example']);
  });

  it('are not written to without a mail server, and nothing fails', async () => {
    await book();
    expect(await post()).toEqual([]);
    const left = await sql.rows(
      `SELECT kind, state FROM work WHERE workspace_id = $1 AND kind = 'meeting_invitation'`,
      [workspace.id],
    );
    expect(left).toEqual([]);
    expect(await sql.rows(`SELECT 1 FROM outgoing_mails WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  });
});

describe('reminders', () => {
  interface Due {
    id: number;
    minutes: number;
    due_at: Date;
  }
  const ahead = (id: number): Promise<Due[]> =>
    sql.rows<Due>(
      `SELECT w.id, r.minutes, w.due_at FROM meeting_reminders r
       JOIN work w ON w.workspace_id = r.workspace_id AND w.kind = 'meeting_reminder' AND w.subject_id = r.id
       WHERE r.workspace_id = $1 AND r.meeting_id = $2 AND r.done_at IS NULL ORDER BY r.minutes`,
      [workspace.id, id],
    );
  /** Lets the time of all reminders come. */
  const come = async (): Promise<void> => {
    await sql.rows(
      `UPDATE work SET due_at = now() - interval '1 second' WHERE workspace_id = $1 AND kind = 'meeting_reminder'`,
      [workspace.id],
    );
    await drained(server, workspace);
  };
  const told = async (id: number): Promise<unknown[]> => {
    const rows = await sql.rows<{ related: { reminder: { minutes: number } } }>(
      `SELECT related FROM events WHERE workspace_id = $1 AND object = 'meeting' AND object_id = $2 AND type = 'meeting.reminder_due' ORDER BY id`,
      [workspace.id, id],
    );
    return rows.map(({ related }) => related.reminder.minutes).sort();
  };

  it('are due so many minutes before, move with the meeting, and stop with it', async () => {
    const id = await book({ reminders: [1_440, 60] });
    const times = async (): Promise<[number, string][]> =>
      (await ahead(id)).map(({ minutes, due_at }) => [minutes, due_at.toISOString()]);
    expect(await times()).toEqual([
      [60, '2031-07-01T08:00:00.000Z'],
      [1_440, '2031-06-30T09:00:00.000Z'],
    ]);
    (await workspace.api.patch(`/meetings/${id}`, { starts_at: '2031-07-03T09:00:00Z' })).expect(200);
    expect(await times()).toEqual([
      [60, '2031-07-03T08:00:00.000Z'],
      [1_440, '2031-07-02T09:00:00.000Z'],
    ]);
    (await workspace.api.patch(`/meetings/${id}`, { reminders: [15] })).expect(200);
    expect(await times()).toEqual([[15, '2031-07-03T08:45:00.000Z']]);
    (await workspace.api.patch(`/meetings/${id}`, { title: 'Other' })).expect(200);
    expect(await times()).toEqual([[15, '2031-07-03T08:45:00.000Z']]);
    (await workspace.api.delete(`/meetings/${id}`)).expect(200);
    expect(await times()).toEqual([]);
    const left = await sql.rows(`SELECT id FROM work WHERE workspace_id = $1 AND kind = 'meeting_reminder'`, [
      workspace.id,
    ]);
    expect(left).toEqual([]);
  });

  it('of what is not confirmed come with the confirmation', async () => {
    const id = await book({ status: 'pending', reminders: [60] });
    expect(await ahead(id)).toEqual([]);
    (await workspace.api.post(`/meetings/${id}/confirm`)).expect(200);
    expect((await ahead(id)).map(({ minutes }) => minutes)).toEqual([60]);
  });

  it('are given once each, as events and as mail to those who have not declined', async () => {
    await install();
    const id = await book({
      reminders: [60, 5],
      attendees: [{ email: 'ada@people.example' }, { email: 'bob@people.example', response: 'declined' }],
    });
    await post();
    await come();
    expect(await told(id)).toEqual([5, 60]);
    expect((await post()).map(({ to, subject }) => [to, subject])).toEqual(
      Array(2).fill(['ada@people.example', 'Reminder: Kick-off']),
    );
    await come();
    expect(await told(id)).toEqual([5, 60]);
    const events = (await eventsOf(server, workspace, 'meeting', id)).filter(
      ({ type }) => type === 'meeting.reminder_due',
    );
    expect(events[0]?.data).toMatchObject({ id, title: 'Kick-off' });
    expect(await post()).toEqual([]);
  });

  it('that are already on their way when the meeting is called off say nothing', async () => {
    const id = await book({ reminders: [60] });
    const [due] = await ahead(id);
    (await workspace.api.delete(`/meetings/${id}`)).expect(200);
    await sql.rows(
      `INSERT INTO work (workspace_id, kind, subject_id) SELECT $1, 'meeting_reminder', r FROM unnest(ARRAY[$2::bigint, 1]) AS r`,
      [workspace.id, due?.id],
    );
    await come();
    expect(await told(id)).toEqual([]);
  });
});
