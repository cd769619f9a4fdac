import type { INestApplicationContext } from '@nestjs/common';
import { MigrationJobsService } from '../../areas/migration/jobs/migration-jobs.service';
import { MigrationRunner } from '../../areas/migration/run/migration-runner';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';

const COMMENTS = [
  {
    id: 'C-1',
    ticket: 'OLD-1',
    body: 'The customer called again.',
    is_internal: true,
    created_at: '2026-01-05T09:00:00Z',
  },
  { id: 'C-2', ticket: 'OLD-1', body: 'Solved by phone.', is_internal: true, created_at: '2026-01-05T09:30:00Z' },
  {
    id: 'C-3',
    ticket: 'OLD-2',
    body: 'Of a ticket that nobody has brought along.',
    created_at: '2026-01-06T10:00:00Z',
  },
];

/** Notes of an old desk: a migration that is done but for one record, one that is ready, one that is paused, one that waits for its file, and one that would read a service. */
export async function addDemoMigrations(app: INestApplicationContext): Promise<void> {
  const [jobs, runner, database] = [app.get(MigrationJobsService), app.get(MigrationRunner), app.get(Database)];
  const [ticket] = await database.query<{ id: number }>('SELECT min(id) AS id FROM tickets WHERE workspace_id = $1', [
    currentWorkspaceId(),
  ]);
  const work = async (id: number): Promise<void> => {
    const job = { id: 0, workspace_id: currentWorkspaceId(), kind: '', subject_id: id, group_id: id, attempt: 1 };
    while ((await runner.perform(job)).retryInMs !== undefined);
  };
  const mapping = { ticket_comments: { values: { ticket_id: { 'OLD-1': ticket?.id ?? 0 } } } };
  const plan = async (name: string, namespace: string): Promise<number> => {
    const id = await jobs.createKnown({ name, source: 'api', mode: 'import', mapping, options: { namespace } });
    await jobs.push(
      id,
      'ticket_comments',
      COMMENTS.map(({ id: external_id, ...rest }) => ({ external_id, payload: { id: external_id, ...rest } })),
    );
    await jobs.validate(id, null);
    await work(id);
    return id;
  };
  const done = await plan('Notes of the old desk', 'old');
  await jobs.start(done, null);
  await work(done);
  await plan('More notes, ready to come', 'more');
  const paused = await plan('Paused in the middle', 'paused');
  await jobs.start(paused, null);
  await jobs.pause(paused, null);
  await jobs.createKnown({ name: 'A table, not sent yet', source: 'csv' });
  const connection = { base_url: 'https://old-desk.zendesk.example', email: 'admin@acme.example', api_token: 'demo' };
  await jobs.createKnown({ name: 'A service, not asked yet', source: 'zendesk', connection });
  // Nobody has to do anything about what is done here.
  await database.query(`DELETE FROM work WHERE workspace_id = $1 AND kind = 'migration'`, [currentWorkspaceId()]);
}
