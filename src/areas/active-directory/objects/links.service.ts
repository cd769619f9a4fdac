import { Injectable } from '@nestjs/common';
import { demand } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import { fail, invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { UsersService } from '../../users/users.service';
import { kindOf } from '../connections/connections.service';
import { DirectoryConnection } from '../connections/connection.entity';
import { requireTeams } from '../../users/roles/rights';
import { requireGivable } from '../../users/user-rights';
import { firstValues } from '../engine/user-values';
import { DirectoryGroup } from './directory-group.entity';
import { DirectoryUser } from './directory-user.entity';
import { CreateUser } from '../../users/user.dto';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import type { LinkUser, ProvisionUser, UpdateGroup } from './objects.dto';

/** The picture of a user stays with the user. */
const NO_PHOTO = { photo_id: null, photo_digest: null, photo_problem: null } as const;

/** What people decide about objects of a directory: who is whom here, who is left alone, what groups mean. */
@Injectable()
export class Links {
  constructor(
    @InjectStore(DirectoryUser) private readonly people: Store<DirectoryUser>,
    @InjectStore(DirectoryGroup) private readonly groups: Store<DirectoryGroup>,
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    private readonly users: UsersService,
    private readonly pipe: ValidationPipe,
    private readonly database: Database,
  ) {}

  /** The role that the user has stays: it was given here. */
  link(id: number, { user_id }: LinkUser, expected: ExpectedVersions): Promise<SingleResult> {
    demand('users.update');
    return this.people.mutate(id, expected, async (before) => {
      if (before.user_id === user_id) return { values: { link_status: 'linked' }, events: ['directory_user.linked'] };
      if (before.user_id !== null) fail('conflict', 'They are linked to another user; unlink them first.');
      const { type } = await this.connections.lock(before.connection_id);
      await this.requireFree(user_id);
      await this.users.changeFrom({ source: kindOf(type).source, directory_user_id: id }, user_id, {});
      return {
        values: {
          user_id,
          link_status: 'linked',
          sync_status: 'pending',
          applied: {},
          last_error: null,
          photo_due: true,
        },
        events: ['directory_user.linked'],
      };
    });
  }

  /** The user stays as they are, and so does a contact. The next run links them again by their address unless they are ignored. */
  unlink(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.part(id, expected, 'unlinked', 'directory_user.unlinked');
  }

  ignore(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.part(id, expected, 'ignored', 'directory_user.ignored');
  }

  /** A user at once, by the rules of users; what the directory has to say besides comes with the next run. */
  provision(id: number, { role }: ProvisionUser, expected: ExpectedVersions): Promise<SingleResult> {
    demand('users.create');
    return this.users.holding(() =>
      this.people.mutate(id, expected, async (before) => {
        if (before.user_id !== null) fail('conflict', 'They have a user already.');
        const { email } = before;
        if (!before.enabled) invalid('id', 'disabled', 'They are disabled in the directory.');
        if (before.sync_status === 'deleted_in_source')
          invalid('id', 'gone', 'The directory does not have them any more.');
        if (email === null) invalid('id', 'no_email', 'A user needs an e-mail address, and the directory has none.');
        const { type } = await this.connections.lock(before.connection_id);
        const origin = { source: kindOf(type).source, directory_user_id: id };
        const { values, applied } = firstValues({ ...before, guid: before.object_guid }, email);
        const body = this.pipe.validate({ ...values, role }, CreateUser);
        const user_id = await this.users.createFrom(origin, body);
        return {
          values: {
            user_id,
            link_status: 'linked',
            sync_status: 'pending',
            applied,
            last_error: null,
            photo_due: true,
          },
          events: ['directory_user.linked'],
        };
      }),
    );
  }

  /** Who maps a group gives no rights that they lack, and lets nobody into teams whose tickets they do not see. */
  update(id: number, body: UpdateGroup, expected: ExpectedVersions): Promise<SingleResult> {
    return this.groups.update(id, body, expected, async (before, values) => {
      const { mapped_role: role, mapped_team_ids: teams = [] } = values;
      requireTeams(
        teams.filter((team) => !before.mapped_team_ids.includes(team)),
        'mapped_team_ids',
      );
      if (role) await requireGivable(this.database, { role, role_id: null, ticket_scope: 'all' }, 'mapped_role');
      return { values };
    });
  }

  private part(
    id: number,
    expected: ExpectedVersions,
    link_status: 'unlinked' | 'ignored',
    event: string,
  ): Promise<SingleResult> {
    demand('users.update');
    return this.people.mutate(id, expected, async ({ user_id }) => {
      if (user_id !== null) await this.users.changeFrom({ source: 'local', directory_user_id: null }, user_id, {});
      const values = {
        user_id: null,
        link_status,
        sync_status: 'pending',
        applied: null,
        contact_id: null,
        contact_applied: null,
        last_error: null,
        ...NO_PHOTO,
      } as const;
      return { values, events: [event] };
    });
  }

  private async requireFree(userId: number): Promise<void> {
    const user = await this.users.standingOf(userId);
    if (!user) invalid('user_id', 'not_found', `"user_id" names ${userId}, which does not exist.`);
    if (user.directory_user_id !== null)
      invalid('user_id', 'in_use', '"user_id" names a user who is somebody else in a directory.');
  }
}
