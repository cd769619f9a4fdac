import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { declaredPermissions } from '../../../platform/context/permission-table';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { countOf } from '../../../platform/resource/many-changes';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { requireEach, requireReach, requireTeams } from './rights';
import type { CreateRole, UpdateRole } from './role.dto';
import { Role } from './role.entity';

/** Custom roles. Whoever makes or changes one has all that it allows, before and after. */
@Injectable()
export class RolesService {
  constructor(
    @InjectStore(Role) private readonly roles: Store<Role>,
    private readonly database: Database,
  ) {}

  create(body: CreateRole): Promise<SingleResult> {
    return this.roles.create(body, ({ permissions = [], ticket_scope = 'all' }) => {
      requireDeclared(permissions);
      requireEach(permissions);
      requireReach(ticket_scope);
      return undefined;
    });
  }

  update(id: number, body: UpdateRole, expected: ExpectedVersions): Promise<SingleResult> {
    return this.roles.update(id, body, expected, async (before, values) => {
      requireEach(before.permissions);
      if (values.permissions) {
        requireDeclared(values.permissions, before.permissions);
        requireEach(values.permissions);
      }
      if (values.ticket_scope) requireReach(values.ticket_scope);
      if (before.ticket_scope === 'assigned' && values.ticket_scope === 'teams') requireTeams(await this.teamsOf(id));
      return { values };
    });
  }

  /** Refused while users have it: without it they might be allowed more. Who is mapped to it would be nobody any more. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.roles.remove(id, expected, async ({ permissions }) => {
      requireEach(permissions);
      const users = await countOf(this.database, 'users', (bind) => `m.role_id = ${bind(id)}`);
      if (users > 0) invalid('id', 'in_use', `${users} users have this role; give them another one first.`, { users });
      const mapping = JSON.stringify([{ role_id: id }]);
      const connections = await countOf(
        this.database,
        'directory_connections',
        (bind) => `m.role_mappings @> ${bind(mapping)}::jsonb`,
      );
      if (connections > 0)
        invalid('id', 'in_use', `${connections} directories give this role; change their mappings first.`, {
          connections,
        });
    });
  }

  /** Teams whose tickets users of the role see once it lets them. */
  private async teamsOf(id: number): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `SELECT DISTINCT t.id FROM users u CROSS JOIN LATERAL unnest(u.team_ids) AS t (id)
       WHERE u.workspace_id = $1 AND u.role_id = $2 AND u.ticket_scope <> 'assigned'`,
      [currentWorkspaceId(), id],
    );
    return rows.map((row) => row.id);
  }
}

/** 422 unless each is there; those that the role had, of a plug-in that is gone, may stay. */
function requireDeclared(permissions: readonly string[], before: readonly string[] = []): void {
  const allowed: string[] = declaredPermissions().map(({ name }) => name);
  const unknown = permissions.find((name) => !allowed.includes(name) && !before.includes(name));
  if (unknown === undefined) return;
  const message = `"permissions" names "${unknown}", which does not exist; GET /roles/permissions lists them.`;
  invalid('permissions', 'enum', message, { allowed });
}
