import type { INestApplicationContext } from '@nestjs/common';
import { ConnectionsService } from '../../areas/active-directory/connections/connections.service';
import { directoryGroupResource } from '../../areas/active-directory/objects/directory-group.resource';
import { directoryUserResource } from '../../areas/active-directory/objects/directory-user.resource';
import { runResource } from '../../areas/active-directory/runs/run.resource';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Resource } from '../../platform/resource/resource';
import type { ResourceEntity } from '../../platform/resource/resource-entity';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { Store } from '../../platform/resource/store';

const PEOPLE = [
  {
    object_guid: '4b0c6f52-7a1e-4a57-9a5e-0c6a1d2f8b11',
    display_name: 'Noor Haddad',
    username: 'nhaddad',
    department: 'IT',
  },
  {
    object_guid: '8d2e1a90-3c4f-4f0b-b6a7-5e9f7c3d1a22',
    display_name: 'Emil Sand',
    username: 'esand',
    department: 'Sales',
  },
];

/** A directory that nobody maps to anything yet, another one whose last run waits for approval, and one that awaits its client. Inside a unit of work. */
export async function addDemoDirectory(app: INestApplicationContext): Promise<void> {
  const database = app.get(Database);
  // What is known of a directory is told by its runs, not by events of its own.
  const add = async (resource: Resource, values: object): Promise<number> => {
    const store = new Store(resource as Resource<ResourceEntity>, app.get(ResourceKernel));
    return (await store.insertMany([values], 'none'))[0] ?? 0;
  };
  const [first = 0, second = 0] = await connect(app, ['Head office', 'Subsidiary']);
  for (const person of PEOPLE)
    await add(directoryUserResource, { ...person, connection_id: first, email: `${person.username}@acme.example` });
  const guid = 'c7a9d3e4-1b2c-4d5e-8f60-718293a4b5c6';
  const group = await add(directoryGroupResource, {
    connection_id: first,
    object_guid: guid,
    name: 'Helpdesk',
    member_count: 1,
  });
  const moment = await database.moment();
  const over = { status: 'completed', trigger: 'push', counts: { scanned: 3, skipped: 2 }, finished_at: moment };
  const run = await add(runResource, { connection_id: first, ...over, started_at: moment, planned_at: moment });
  const reason =
    '12 of 40 people would lose access; without approval it may be at most 50, and 10 % where it is more than one.';
  const waits = { status: 'awaiting_approval', approval: { required: true, reason, approved_by: null } };
  await add(runResource, {
    connection_id: second,
    ...waits,
    counts: { scanned: 28, disabled: 12 },
    planned_at: moment,
  });
  await database.query(
    `INSERT INTO directory_members (workspace_id, group_id, connection_id, member_guid) VALUES ($1, $2, $3, $4)`,
    [currentWorkspaceId(), group, first, PEOPLE[0]?.object_guid],
  );
  await database.query(
    `INSERT INTO directory_changes (workspace_id, run_id, object, object_guid, name, action, result, error)
     SELECT $1, $2, 'user', p ->> 'object_guid', p ->> 'display_name', 'none', 'skipped', '{"code": "unmapped", "message": "No mapping makes a user of them."}'
     FROM jsonb_array_elements($3::jsonb) p`,
    [currentWorkspaceId(), run, JSON.stringify(PEOPLE)],
  );
}

async function connect(app: INestApplicationContext, names: readonly string[]): Promise<number[]> {
  for (const name of names) await app.get(ConnectionsService).create({ type: 'json', name });
  await app.get(ConnectionsService).create({ type: 'scim', name: 'Identity provider', config: { client: 'Okta' } });
  const rows = await app
    .get(Database)
    .query<{ id: number }>(`SELECT id FROM directory_connections WHERE workspace_id = $1 ORDER BY id`, [
      currentWorkspaceId(),
    ]);
  return rows.map(({ id }) => id);
}
