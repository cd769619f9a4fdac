import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { AreaDuties } from '../../platform/area/area-duties';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Change } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { requireTransition } from '../../platform/state/transitions';
import { canonical } from '../../platform/text/json';
import { type Preferences, USUAL } from './notices/notification-preferences';
import { storedAbsence } from './out-of-office';
import type { CreateUser, RemoveUser, UpdateUser } from './user.dto';
import { MAX_TEAMS, User } from './user.entity';
import { requireChoosable, requireOwnOrUpdate, requireRightsOver } from './user-rights';
import { userTransitions } from './user-states';

/** Fields whose rules look at other users too. */
const CONNECTED = ['role', 'status', 'manager_id'] as const;

/** A user as they are stored, private columns among it. */
export type StoredUser = Row<User>;

/** Where users come from that nobody made here. */
export type Origin = Partial<Pick<User, 'source' | 'directory_user_id'>>;

@Injectable()
export class UsersService {
  constructor(
    @InjectStore(User) private readonly users: Store<User>,
    @InjectWorkspaceRepository(User) private readonly known: WorkspaceRepository<User>,
    private readonly duties: AreaDuties,
    private readonly database: Database,
  ) {}

  create(body: CreateUser): Promise<SingleResult> {
    return this.users.create(body, (values) => this.complete(values));
  }

  /** Changes what the body names. The last owner and the tree of managers are guarded by one lock per workspace. */
  update(id: number, body: UpdateUser, expected: ExpectedVersions): Promise<SingleResult> {
    requireOwnOrUpdate(id, body);
    const update = (): Promise<SingleResult> =>
      this.users.update(id, body, expected, (before, values) => this.follow(before, values));
    return CONNECTED.some((name) => body[name] !== undefined) ? this.users.holding(update) : update();
  }

  /**
   * Deactivates the user, who stays readable (decision 7). What they have in hand goes to `reassign_to`: an id, or `none`; with
   * `team` the areas share it out when they hear that the user has left.
   */
  async deactivate(id: number, expected: ExpectedVersions, { reassign_to: heir }: RemoveUser): Promise<SingleResult> {
    return this.users.holding(() =>
      this.users.mutate(id, expected, async (before) => {
        if (heir === id) invalid('reassign_to', 'invalid', '"reassign_to" must name another user.');
        if (typeof heir === 'number') requireChoosable(id);
        if (before.status === 'deactivated') return this.clear(id, heir);
        const meta = heir === undefined || heir === 'team' ? {} : await this.duties.handOver(id, heir);
        const { events = [], ...rest } = await this.follow(before, { status: 'deactivated' }, heir === 'team');
        const change = { ...rest, events: [...events, 'user.deleted'] };
        return Object.keys(meta).length === 0 ? change : { ...change, meta };
      }),
    );
  }

  /** Changes the teams that a user is in. 422 for more than they may be in, and for one that is not there. */
  changeTeams(
    id: number,
    expected: ExpectedVersions,
    change: (teams: readonly number[]) => readonly number[],
  ): Promise<SingleResult> {
    return this.users.mutate(id, expected, async (before) => {
      const changed = [...new Set(change(before.team_ids))];
      if (changed.length > MAX_TEAMS)
        invalid('team_ids', 'max', `A user is in at most ${MAX_TEAMS} teams.`, { max: MAX_TEAMS });
      if (changed.length === before.team_ids.length) return { values: {} };
      return this.follow(before, { team_ids: changed });
    });
  }

  /** Creates somebody whom a directory knows, and answers the id. Inside a unit of work. */
  async createFrom(origin: Origin, body: CreateUser): Promise<number> {
    return (await this.users.insert(body, (values) => this.complete(Object.assign(values, origin)))).id;
  }

  /** Changes somebody by what a directory says; what who is deactivated has in hand is shared out as with `team`. */
  async changeFrom(origin: Origin, id: number, values: Values<User>): Promise<void> {
    await this.users.holding(async () => {
      const before = await this.users.lock(id);
      const change = await this.follow(before, { ...values }, true);
      const differs = Object.keys({ ...values, ...origin }).length > 0;
      if (differs) await this.users.apply(before, { ...change, values: { ...change.values, ...origin } });
    });
  }

  /** A unit of work in which no other changes who is owner, or who reports to whom. */
  holding<T>(work: () => Promise<T>): Promise<T> {
    return this.users.holding(work);
  }

  /** Who they are in a directory, held until the commit; null when there is no such user. Inside a unit of work. */
  standingOf(id: number): Promise<StoredUser | null> {
    return this.users.lockIfAny(id);
  }

  private async complete(values: Values<User>): Promise<undefined> {
    await requireRightsOver(this.database, null, values);
    values.timezone ??= current().principal?.workspace?.timezone ?? 'UTC';
    if (values.availability !== 'offline') values.availability_changed_at = await this.database.moment();
    storePreferences(values);
    await this.storeAbsence(null, values);
  }

  /** @param leaves whether what they have in hand may stay behind for a moment */
  private async follow(before: Row<User>, values: Values<User>, leaves = false): Promise<Change<User>> {
    await requireRightsOver(this.database, before, values);
    const events = ['user.updated'];
    const after = { ...before, ...values };
    if (after.status !== before.status) {
      requireTransition(userTransitions, 'status', before.status, after.status);
      if (after.status === 'deactivated') {
        if (!leaves) await this.requireEmptyHands(before.id);
        values.availability = 'offline';
        events.push('user.deactivated');
      }
    }
    await this.requireAnotherOwner(before, after);
    if (values.availability !== undefined && values.availability !== before.availability) {
      values.availability_changed_at = await this.database.moment();
      events.push('user.availability_changed');
    }
    if (values.manager_id && values.manager_id !== before.manager_id) {
      await this.checkManager(before.id, values.manager_id);
    }
    storePreferences(values);
    await this.storeAbsence(before, values);
    return { values, events };
  }

  /** The last active owner cannot be removed, demoted or suspended. Needs the lock on `users`. */
  private async requireAnotherOwner(before: Row<User>, after: Row<User>): Promise<void> {
    const owns = (user: Row<User>): boolean => user.role === 'owner' && user.status === 'active';
    if (!owns(before) || owns(after)) return;
    const another = await this.known.existsBy({ role: 'owner', status: 'active', id: Not(before.id) });
    if (!another) {
      const field = after.role === 'owner' ? 'status' : 'role';
      invalid(field, 'last_owner', 'This is the last active owner of the workspace; make another user owner first.');
    }
  }

  /** Somebody who has left already may have what nobody was free for then: it goes where the request says. */
  private async clear(id: number, heir: RemoveUser['reassign_to']): Promise<Change<User>> {
    if (heir === undefined || !(await this.duties.inHandOf(id))) return { values: {} };
    if (heir === 'team') return { values: {}, events: ['user.deleted'], always: true };
    return { values: {}, meta: await this.duties.handOver(id, heir) };
  }

  private async requireEmptyHands(id: number): Promise<void> {
    const inHand = await this.duties.inHandOf(id);
    if (!inHand) return;
    const message = `The user has ${inHand.words}; DELETE /users/${id}?reassign_to=<user id>, reassign_to=none or reassign_to=team hands them over.`;
    invalid('id', 'in_use', message, inHand.counts);
  }

  /** Needs the lock on `users`: two moves at once could close a circle. */
  private async checkManager(id: number, managerId: number): Promise<void> {
    if (managerId === id) invalid('manager_id', 'cycle', 'A user cannot be their own manager.');
    const above = await this.database.query(
      `WITH RECURSIVE above AS (
         SELECT id, manager_id FROM users WHERE workspace_id = $1 AND id = $2
         UNION SELECT u.id, u.manager_id FROM users u JOIN above a ON u.workspace_id = $1 AND u.id = a.manager_id
       ) SELECT 1 FROM above WHERE id = $3`,
      [currentWorkspaceId(), managerId, id],
    );
    if (above.length > 0) invalid('manager_id', 'cycle', '"manager_id" names someone who reports to this user.');
  }

  private async storeAbsence(before: Row<User> | null, values: Values<User>): Promise<void> {
    if (!values.out_of_office) return;
    const absence = storedAbsence(values.out_of_office);
    const replacement = absence.replacement_user_id;
    if (replacement) {
      const field = 'out_of_office.replacement_user_id';
      if (canonical(absence) !== canonical(before?.out_of_office)) requireChoosable(before?.id ?? null);
      if (replacement === before?.id) invalid(field, 'invalid', 'A user cannot stand in for themselves.');
      await this.requireActive(field, replacement);
    }
    values.out_of_office = absence;
  }

  private async requireActive(field: string, id: number): Promise<void> {
    const user = await this.known.findOne({ select: { status: true }, where: { id } });
    if (!user) invalid(field, 'not_found', `"${field}" names a user that does not exist.`);
    if (user.status !== 'active') invalid(field, 'inactive', `"${field}" names a user that is ${user.status}.`);
  }
}

/** Preferences are stored whole: what is left out is as usual. */
function storePreferences(values: Values<User>): void {
  if (!values.notifications) return;
  const wanted: Preferences = values.notifications;
  const { quiet_hours: quiet } = wanted;
  if (quiet && quiet.from === quiet.to)
    invalid(
      'notifications.quiet_hours',
      'invalid',
      '"notifications.quiet_hours" must not begin and end at the same time.',
    );
  values.notifications = { ...USUAL, ...wanted };
}
