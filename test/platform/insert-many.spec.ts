import { Injectable, Module } from '@nestjs/common';
import { Company } from '../../src/areas/companies/company.entity';
import { companyResource } from '../../src/areas/companies/company.resource';
import { Contact } from '../../src/areas/contacts/contact.entity';
import { contactResource } from '../../src/areas/contacts/contact.resource';
import { TicketComment } from '../../src/areas/tickets/comment.entity';
import { commentResource } from '../../src/areas/tickets/comment.resource';
import { User } from '../../src/areas/users/user.entity';
import { userResource } from '../../src/areas/users/user.resource';
import { Database } from '../../src/platform/database/database';
import { Store } from '../../src/platform/resource/store';
import { InjectStore, StoreModule } from '../../src/platform/resource/store.module';
import { useOwnApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { makeWorkspace } from '../support/workspace';

/** As a migration from another system would be written. */
@Injectable()
class Importer {
  constructor(
    private readonly database: Database,
    @InjectStore(Company) readonly companies: Store<Company>,
    @InjectStore(Contact) readonly contacts: Store<Contact>,
    @InjectStore(TicketComment) readonly comments: Store<TicketComment>,
    @InjectStore(User) readonly users: Store<User>,
  ) {}

  run<T>(workspaceId: number, work: () => Promise<T>): Promise<T> {
    const actor = { type: 'system', id: null, name: 'import' } as const;
    return this.database.inWorkspace(workspaceId, actor, () => this.database.transaction(work));
  }
}

@Module({
  imports: [StoreModule.forFeature(companyResource, contactResource, commentResource, userResource)],
  providers: [Importer],
})
class ImporterModule {}

const server = useOwnApp({}, { modules: [ImporterModule] });
const then = '2019-03-01T08:00:00.000Z';

it('records are taken over with their moments, and nobody is told', async () => {
  const workspace = await makeWorkspace(server);
  const importer = server.app.get(Importer);
  const names = Array.from({ length: 250 }, (_, index) => `Company ${index}`);
  const records = names.map((name, index) => ({
    name,
    external_id: `old-${index}`,
    created_at: then,
    updated_at: then,
  }));
  const ids = await importer.run(workspace.id, () => importer.companies.insertMany(records, 'none'));
  const { data } = (await workspace.api.get(`/companies/${ids[7]}`)).expect(200);
  expect(data).toMatchObject({ name: 'Company 7', external_id: 'old-7', created_at: then, updated_at: then });
  expect(data.status).toBeDefined();
  const list = (await workspace.api.get('/companies?sort=created_at&per_page=1&external_id=old-7')).expect(200);
  expect(list.body.data).toHaveLength(1);
  expect((await workspace.api.get('/companies?per_page=1')).meta.total).toBeGreaterThanOrEqual(250);
  expect(await eventsOf(server, workspace, 'company', ids[7]!)).toEqual([]);
});

it('with their authors', async () => {
  const workspace = await makeWorkspace(server);
  const importer = server.app.get(Importer);
  const [ticket, { id: author_id }] = [await makeTicket(workspace.api), await makeUser(workspace.api)];
  const comments = ['first', 'second'].map((body, index) => ({
    ticket_id: ticket.id,
    body,
    author_type: 'agent' as const,
    author_id,
    author_name: 'Ada',
    channel: 'email' as const,
    created_at: `2019-03-0${index + 1}T08:00:00.000Z`,
  }));
  await importer.run(workspace.id, () => importer.comments.insertMany(comments, 'none'));
  expect((await workspace.api.get(`/tickets/${ticket.id}/comments`)).expect(200).rows).toMatchObject(comments);
});

it('or with events that say so', async () => {
  const workspace = await makeWorkspace(server);
  const importer = server.app.get(Importer);
  const [id = 0] = await importer.run(workspace.id, () =>
    importer.companies.insertMany([{ name: 'Acme', created_at: then }], 'marked'),
  );
  const events = await eventsOf(server, workspace, 'company', id);
  expect(events).toMatchObject([{ type: 'company.created', related: { imported: true } }]);
});

it('all or none: what points to nothing is refused', async () => {
  const workspace = await makeWorkspace(server);
  const importer = server.app.get(Importer);
  const contacts = [
    { name: 'Ada', email: 'ada@old.example' },
    { name: 'Bob', email: 'bob@old.example', company_id: 999_999_999 },
  ];
  const attempt = importer.run(workspace.id, () => importer.contacts.insertMany(contacts, 'none'));
  await expect(attempt).rejects.toMatchObject({ type: 'validation_error' });
  expect((await workspace.api.get('/contacts?email=ada@old.example')).rows).toEqual([]);
  const users = [{ name: 'Ada', email: 'ada@old.example', team_ids: [999_999_999] }];
  const another = importer.run(workspace.id, () => importer.users.insertMany(users, 'none'));
  await expect(another).rejects.toMatchObject({ type: 'validation_error' });
});
