import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { sql } from '../../../platform/postgres/statement-batch';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { oneOfMany } from '../../../platform/queue/one-of-many';
import { absenceOf } from '../../users/user-lookup';
import { BookingService } from '../availability/booking.service';
import { MeetingDuties } from './meeting-duties';

/** Kind of the job that gives the meetings of somebody who has left to others; its subject is the user. */
const HANDOVER_JOB = 'meeting_handover';

/**
 * Gives what somebody who has left had ahead to others, where nobody was named (`reassign_to=team`, a directory): each meeting to a host
 * of its type who is free, in a unit of work of its own. What nobody is free for stays where it is.
 */
@Injectable()
export class MeetingHandovers implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'meeting-handovers';
  readonly kind = HANDOVER_JOB;
  /** Those of one user come one after the other. */
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 120_000;
  private readonly logger = new Logger(MeetingHandovers.name);

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly duties: MeetingDuties,
    private readonly bookings: BookingService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const told = events.filter(({ type }) => type === 'user.deactivated' || type === 'user.deleted');
    if (told.length === 0) return;
    const rows = told.map(({ workspace_id: w, object_id: u }) => ({ w, u }));
    await this.database.later([
      sql(
        `${INSERT_JOBS}
       SELECT DISTINCT v.w, '${HANDOVER_JOB}', v.u, v.u FROM json_to_recordset($1::json) AS v(w bigint, u bigint)
       WHERE EXISTS (SELECT FROM meeting_hosts h WHERE h.workspace_id = v.w AND h.host_id = v.u AND h.holds AND h.starts_at > now())`,
        [JSON.stringify(rows)],
      ),
    ]);
  }

  async perform({ subject_id: user }: Job): Promise<JobOutcome> {
    const ahead = await this.database.transaction(async () => {
      const hasLeft = (await absenceOf(this.database, user))?.status === 'deactivated';
      return hasLeft ? this.duties.aheadOf(user) : [];
    });
    for (const id of ahead)
      await oneOfMany({ record: 'Meeting', id, done: 'handed over' }, this.logger, () => this.pass(id, user));
    return {};
  }

  /** One meeting, as long as it is. */
  private pass(id: number, user: number): Promise<boolean> {
    return this.database.transaction(() =>
      this.duties.give(id, user, (meeting) => this.bookings.successorOf(meeting, meeting)),
    );
  }
}
