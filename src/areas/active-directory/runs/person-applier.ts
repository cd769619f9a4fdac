// Own reads: each object of a run asks for its row, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { EventDraft } from '../../../platform/events/event-rows';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import { changeEach } from '../../../platform/resource/many-changes';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CreateUser, UpdateUser } from '../../users/user.dto';
import { type StoredUser, UsersService } from '../../users/users.service';
import type { DirectoryConnection } from '../connections/connection.entity';
import { kindOf } from '../connections/connections.service';
import type { Applied, AppliedContact, LinkStatus, Person } from '../engine/objects';
import type { PlannedChange, UserValues } from '../engine/plan';
import { nameKeyOf } from '../engine/reference-key';
import { DirectoryUser } from '../objects/directory-user.entity';
import { ContactApplier } from './contact-applier';
import type { Outcome } from './outcome';

/** Somebody of the directory as they are stored. */
interface Mirror {
  id: number;
  user_id: number | null;
  link_status: LinkStatus;
  applied: Applied | null;
  contact_id: number | null;
  contact_applied: AppliedContact | null;
}

const MEANWHILE = {
  code: 'changed_meanwhile',
  message: 'Somebody has parted them from their user or contact since the run was planned.',
};

/** Writes what became of somebody of a directory: what is known of them, and who they are here, by the rules of users. */
@Injectable()
export class PersonApplier {
  constructor(
    @InjectStore(DirectoryUser) private readonly people: Store<DirectoryUser>,
    private readonly users: UsersService,
    private readonly contacts: ContactApplier,
    private readonly pipe: ValidationPipe,
    private readonly database: Database,
  ) {}

  /** Inside a unit of work that holds what users are changed under. */
  async apply(runId: number, connection: Row<DirectoryConnection>, change: PlannedChange): Promise<Outcome> {
    const found = await this.find(connection.id, change.guid);
    if (found && isParted(found, change)) return { result: 'skipped', error: MEANWHILE, user_id: null };
    const said: Values<DirectoryUser> = {
      ...(change.person ? attributesOf(change.person) : {}),
      ...change.standing,
      ...photoMark(change),
      run_id: runId,
    };
    const mirror = found ?? (await this.add(connection.id, change.guid, said));
    const isContact = change.object === 'contact';
    const user_id = isContact ? mirror.user_id : await this.changeUser(connection, mirror, change);
    const contact_id = await this.contacts.change(mirror, change);
    const { contact_applied } = change;
    const values: Values<DirectoryUser> = {
      ...said,
      ...{ user_id, contact_id, last_synced_at: await this.database.moment() },
      // Of whoever is a user, that is told.
      ...(isContact && user_id !== null ? {} : { last_error: change.error }),
      ...(change.applied ? { applied: { ...mirror.applied, ...change.applied } } : {}),
      ...(contact_applied ? { contact_applied: { ...mirror.contact_applied, ...contact_applied } } : {}),
    };
    const events = toldOf(change, mirror.user_id, user_id);
    const record = { workspace_id: currentWorkspaceId(), id: mirror.id, values, counts: found !== null, events };
    await changeEach(this.database, 'directory_users', [record]);
    return { ...resultOf(change), user_id };
  }

  /** Who they are here afterwards. */
  private async changeUser(
    connection: Row<DirectoryConnection>,
    mirror: Mirror,
    change: PlannedChange,
  ): Promise<number | null> {
    const { action, user: asked, link } = change;
    const origin = { source: kindOf(connection.type).source, directory_user_id: mirror.id };
    if (action === 'create' && mirror.user_id === null) {
      const body = this.pipe.validate(await this.bodyOf(asked ?? {}, null, connection.id), CreateUser);
      return this.users.createFrom(origin, body);
    }
    if (action === 'link' && mirror.user_id === null && link !== undefined) {
      const user = await this.take(link, mirror.id);
      await this.change(origin, user, asked ?? {}, connection.id);
      return link;
    }
    if (!asked || mirror.user_id === null) return mirror.user_id;
    const user = await this.users.standingOf(mirror.user_id);
    if (user) await this.change({}, user, asked, connection.id);
    return mirror.user_id;
  }

  private async change(origin: object, user: StoredUser, asked: UserValues, connectionId: number): Promise<void> {
    const body = this.pipe.validate(await this.bodyOf(asked, user, connectionId), UpdateUser);
    await this.users.changeFrom(origin, user.id, body);
  }

  /** A user who is nobody in a directory, or somebody who is gone from it. */
  private async take(userId: number, mirrorId: number): Promise<StoredUser> {
    const user = await this.users.standingOf(userId);
    if (!user) invalid('user_id', 'not_found', 'Their user is not there any more.');
    if (user.directory_user_id === null || user.directory_user_id === mirrorId) return user;
    const former = await this.people.lockIfAny(user.directory_user_id);
    if (former && former.sync_status !== 'deleted_in_source')
      invalid('user_id', 'taken', 'Their user has become somebody else in a directory.');
    const values: Values<DirectoryUser> = {
      ...{ user_id: null, link_status: 'unlinked' },
      // The picture stays with the user.
      ...{ photo_id: null, photo_digest: null },
    };
    if (former) await this.people.apply(former, { values, events: ['directory_user.unlinked'] });
    return user;
  }

  /** The body of a request that would do the same. */
  private async bodyOf(
    { teams, manager, ...rest }: UserValues,
    user: StoredUser | null,
    connectionId: number,
  ): Promise<object> {
    const before = user?.team_ids ?? [];
    const team_ids = teams ? [...before.filter((id) => !teams.remove.includes(id)), ...teams.add] : undefined;
    if (manager === undefined) return { ...rest, ...(team_ids ? { team_ids } : {}) };
    const found = manager === null ? null : await this.find(connectionId, manager);
    if (manager !== null && !found?.user_id) invalid('manager_id', 'unknown_manager', 'Their manager is nobody here.');
    return { ...rest, ...(team_ids ? { team_ids } : {}), manager_id: found?.user_id ?? null };
  }

  private async add(connection_id: number, object_guid: string, said: Values<DirectoryUser>): Promise<Mirror> {
    const [id = 0] = await this.people.insertMany(
      [{ display_name: object_guid, ...said, connection_id, object_guid }],
      'none',
    );
    return { id, user_id: null, link_status: 'unlinked', applied: null, contact_id: null, contact_applied: null };
  }

  private async find(connectionId: number, guid: string): Promise<Mirror | null> {
    const [row] = await this.database.query<Mirror>(
      `SELECT id, user_id, link_status, applied, contact_id, contact_applied FROM directory_users WHERE workspace_id = $1 AND connection_id = $2 AND object_guid = $3 FOR UPDATE`,
      [currentWorkspaceId(), connectionId, guid],
    );
    return row ?? null;
  }
}

/** The columns of what the directory says. */
function attributesOf(person: Person): Values<DirectoryUser> {
  const { distinguished_name, username, user_principal_name, email, display_name, given_name, surname, manager } =
    person;
  const { title, department, office, phone, mobile, enabled, locked, when_created, when_changed } = person;
  return {
    ...{ distinguished_name, username, user_principal_name, email, display_name, given_name, surname },
    ...{ title, department, office, phone, mobile, enabled, locked, when_created, when_changed, manager_guid: manager },
    name_key: nameKeyOf({ distinguished_name }),
  };
}

/** Whether somebody has decided otherwise since. */
function isParted({ link_status, user_id, contact_id }: Mirror, { action, user, contact }: PlannedChange): boolean {
  if (link_status === 'ignored') return user !== undefined || contact !== undefined;
  if (action === 'create' || action === 'link') return false;
  return (user !== undefined && user_id === null) || (contact !== undefined && contact_id === null);
}

/** What is new of somebody may be the photo. */
function photoMark({ person, action, object }: PlannedChange): Values<DirectoryUser> {
  const isNew = object === 'user' && (action === 'create' || action === 'link');
  const seen = person ? { photo_due: true, photo_seen: person.state ?? null } : {};
  return isNew ? { ...seen, photo_due: true, photo_id: null, photo_digest: null, photo_problem: null } : seen;
}

/** What is told of somebody beside the run: who they are here, and that they lost access. */
function toldOf({ action, object }: PlannedChange, from: number | null, to: number | null): EventDraft[][] {
  if (object !== 'user') return [];
  if (action === 'link') return [[{ type: 'directory_user.linked', changes: { user_id: { from, to } } }]];
  return action === 'disable' ? [[{ type: 'directory_user.disabled', changes: null }]] : [];
}

/** Nobody is touched and somebody is told why: skipped, or a warning where it is for people to settle. */
function resultOf({ action, error }: PlannedChange): Pick<Outcome, 'result' | 'error'> {
  if (!error) return { result: 'success', error };
  const isConflict = error.code === 'taken' || error.code === 'claimed_twice';
  return { result: isConflict || action !== 'none' ? 'warning' : 'skipped', error };
}
