import { Injectable, type OnModuleInit } from '@nestjs/common';
import { workspaceZone } from '../../platform/auth/workspace-settings';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { PlainTakeover } from '../../platform/resource/plain-takeover';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { type Left, type TakenOver, type TakenValues, Takeovers, type Told } from '../../platform/resource/takeover';
import { User } from './user.entity';

/** What comes from outside makes nobody mighty: owners and admins are made here, by people. */
const ROLES: readonly unknown[] = [undefined, 'supervisor', 'agent', 'light_agent'];

/** What somebody may do, and the address that they are known by, is said here alone. */
const FIXED = ['email', 'role', 'role_id', 'status', 'ticket_scope', 'availability', 'team_ids', 'manager_id'] as const;

/** Users come without rights over the workspace. */
class WithoutPower extends PlainTakeover<User> {
  override async store(records: readonly TakenValues[], told: Told): Promise<TakenOver> {
    for (const { role, role_id } of records) {
      if (!ROLES.includes(role)) invalid('role', 'forbidden', 'Owners and admins are not taken over; make them here.');
      if (role_id) invalid('role_id', 'forbidden', 'Custom roles are not taken over; give them here.');
    }
    const timezone = await workspaceZone(this.database);
    return super.store(
      records.map((record) => ({ timezone, ...record, source: 'import' })),
      told,
    );
  }

  /** Who has a token by now stays: it would act for nobody, and nobody may do everything. */
  override async takeBack(taken: readonly Left[]): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `SELECT u.id FROM unnest($1::bigint[]) AS u(id) WHERE u.id NOT IN (SELECT users_with_tokens($1::bigint[]))`,
      [taken.map(({ id }) => id)],
    );
    const free = new Set(rows.map(({ id }) => id));
    return super.takeBack(taken.filter(({ id }) => free.has(id)));
  }
}

/** How users come in from another system. */
@Injectable()
export class UserTakeover implements OnModuleInit {
  constructor(
    @InjectStore(User) private readonly users: Store<User>,
    private readonly database: Database,
    private readonly takeovers: Takeovers,
  ) {}

  onModuleInit(): void {
    this.takeovers.register(new WithoutPower(this.users, this.database, { place: 20, keys: ['email'], fixed: FIXED }));
  }
}
