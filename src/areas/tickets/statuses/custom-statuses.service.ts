import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { placeBehind } from '../../../platform/resource/last-place';
import { anyOf, changeMany } from '../../../platform/resource/many-changes';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { requireHeir } from '../../../platform/tree/tree';
import type { TicketStatus } from '../ticket-values';
import type { CreateCustomStatus, RemoveCustomStatus, UpdateCustomStatus } from './custom-status.dto';
import { CustomStatus } from './custom-status.entity';
import { customStatusResource } from './custom-status.resource';
import { StatusBook } from './status-book';

const MAX_STATUSES = 100;

/** What concerns several statuses (which is the default, how many there are) holds one lock per workspace. */
@Injectable()
export class CustomStatusesService {
  constructor(
    @InjectStore(CustomStatus) private readonly statuses: Store<CustomStatus>,
    private readonly database: Database,
    private readonly book: StatusBook,
  ) {}

  create(body: CreateCustomStatus): Promise<SingleResult> {
    return this.statuses.holding(() =>
      this.statuses.create(body, async (values) => {
        await this.requireRoom();
        values.position ??= await placeBehind(this.database, 'ticket_statuses');
        await this.settleDefault(null, values, values.status ?? 'open');
        return undefined;
      }),
    );
  }

  update(id: number, body: UpdateCustomStatus, expected: ExpectedVersions): Promise<SingleResult> {
    return this.statuses.holding(() =>
      this.statuses.update(id, body, expected, async (before, values) => {
        await this.settleDefault(before, values, before.status);
        return { values };
      }),
    );
  }

  /** Refused while it has tickets that `reassign_to` does not move. */
  remove(id: number, expected: ExpectedVersions, { reassign_to: heir }: RemoveCustomStatus): Promise<SingleResult> {
    return this.statuses.holding(() => this.statuses.remove(id, expected, (status) => this.makeRoom(status, heir)));
  }

  /** There is one default for each status, and it can be had. */
  private async settleDefault(
    before: Row<CustomStatus> | null,
    values: Values<CustomStatus>,
    status: TicketStatus,
  ): Promise<void> {
    this.book.changed();
    const { is_default: isDefault, is_active: isActive } = { is_default: false, is_active: true, ...before, ...values };
    if (isDefault && !isActive) invalid('is_default', 'invalid', 'A status that is not active cannot be the default.');
    if (!isDefault || before?.is_default) return;
    await changeMany(this.database, {
      resource: customStatusResource.name,
      condition: (bind) => `m.status = ${bind(status)} AND m.is_default`,
      values: { is_default: false },
      events: ['ticket_status.updated'],
      changes: { is_default: { from: true, to: false } },
    });
  }

  private async makeRoom({ id, status }: Row<CustomStatus>, heir: number | null | undefined): Promise<void> {
    this.book.changed();
    const heirId = typeof heir === 'number' ? await requireHeir(this.database, customStatusResource, id, heir) : null;
    const known = heirId === null ? null : (await this.statuses.lock(heirId)).status;
    if (known !== null && known !== status)
      invalid('reassign_to', 'invalid', `"reassign_to" stands for ${known}, not for ${status}.`);
    if (!(await anyOf(this.database, 'tickets', (bind) => `m.custom_status_id = ${bind(id)}`))) return;
    if (heir === undefined) {
      const message = `The status has tickets; DELETE /ticket-statuses/${id}?reassign_to=<id>, or reassign_to=none, moves them.`;
      invalid('id', 'in_use', message);
    }
    await changeMany(this.database, {
      resource: 'tickets',
      condition: (bind) => `m.custom_status_id = ${bind(id)}`,
      values: { custom_status_id: heirId },
      events: ['ticket.updated'],
      changes: { custom_status_id: { from: id, to: heirId } },
    });
  }

  private async requireRoom(): Promise<void> {
    const [row] = await this.database.query<{ known: number }>(
      `SELECT count(*) AS known FROM ticket_statuses WHERE workspace_id = $1`,
      [currentWorkspaceId()],
    );
    if ((row?.known ?? 0) >= MAX_STATUSES)
      invalid('name', 'max', `A workspace has at most ${MAX_STATUSES} ticket statuses.`, { max: MAX_STATUSES });
  }
}
