import { Injectable } from '@nestjs/common';
import type { Duties } from '../../../platform/area/duties';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { Meta } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { requireActiveUser } from '../../users/user-lookup';
import { MeetingChanges } from '../meeting-changes';
import { isAhead } from '../meeting-status';
import { Meeting } from '../meeting.entity';

/** Meetings named in a refusal. */
const MOST_NAMED = 20;

/** Who takes over a meeting; null when nobody can. */
type HeirOf = (meeting: Row<Meeting>) => Promise<number | null>;

/** Meetings that somebody who leaves has ahead: what has begun stays as it was. */
@Injectable()
export class MeetingDuties implements Duties {
  readonly counted = 'open_meetings';
  readonly words = 'meetings ahead';

  constructor(
    @InjectStore(Meeting) private readonly meetings: Store<Meeting>,
    private readonly rules: MeetingChanges,
    private readonly database: Database,
  ) {}

  async countOf(userId: number): Promise<number> {
    return (await this.aheadOf(userId)).length;
  }

  /** All or nothing: the heir must be free for each that has no other host, by the same rules as any other host. */
  async handOver(from: number, to: number | null): Promise<Meta> {
    const ahead = await this.aheadOf(from);
    if (ahead.length > 0 && to !== null)
      await requireActiveUser(this.database, 'reassign_to', to, 'only active users can be hosts');
    const left: number[] = [];
    for (const id of ahead) if (!(await this.give(id, from, () => Promise.resolve(to)))) left.push(id);
    if (left.length === 0) return {};
    const meeting_ids = left.slice(0, MOST_NAMED);
    const counted = { open_meetings: left.length, meeting_ids };
    const which = `${left.length} of the ${ahead.length} meetings ahead (${meeting_ids.join(', ')})`;
    if (to === null) {
      const message = `No meeting is without a host: name a user, or "team", for ${which}, or cancel them.`;
      invalid('reassign_to', 'in_use', message, counted);
    }
    invalid('reassign_to', 'slot_unavailable', `User ${to} cannot be the host of ${which}.`, counted);
  }

  /** Ids of the meetings that the user is a host of and that have not begun, in order. Inside a unit of work. */
  async aheadOf(userId: number): Promise<number[]> {
    const rows = await this.database.query<{ id: number }>(
      `SELECT meeting_id AS id FROM meeting_hosts
       WHERE workspace_id = $1 AND host_id = $2 AND holds AND starts_at > now() ORDER BY meeting_id`,
      [currentWorkspaceId(), userId],
    );
    return rows.map(({ id }) => id);
  }

  /** Looks again under the lock; false when the meeting stays. Inside a unit of work. */
  async give(id: number, from: number, heirOf: HeirOf): Promise<boolean> {
    const meeting = await this.meetings.lockIfAny(id);
    if (!meeting?.host_ids.includes(from) || !isAhead(meeting.status)) return true;
    const alone = meeting.host_ids.length === 1;
    const heir = alone ? await heirOf(meeting) : null;
    const change = alone ? await this.rules.given(meeting, heir) : this.rules.withoutHost(meeting, from);
    if (change) await this.meetings.apply(meeting, change);
    return change !== null;
  }
}
