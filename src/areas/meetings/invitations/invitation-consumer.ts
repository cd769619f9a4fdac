import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import { sql } from '../../../platform/postgres/statement-batch';
import { INSERT_JOBS } from '../../../platform/queue/job-table';
import { INVITATION_JOB } from './invitation-handler';
import { isOneOf } from '../../../platform/text/json';
import { LETTER_EVENTS } from './letters';

/** Makes jobs of what attendees may have to be told. Of one meeting in order. */
@Injectable()
export class InvitationConsumer implements EventConsumer {
  readonly name = 'meeting-invitations';

  constructor(private readonly database: Database) {}

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const told = events.filter(({ type }) => isOneOf(LETTER_EVENTS, type));
    if (told.length === 0) return;
    const rows = told.map(({ workspace_id: w, id: e, object_id: m }, n) => ({ n, w, e, m }));
    await this.database.later([
      sql(
        `${INSERT_JOBS}
       SELECT v.w, '${INVITATION_JOB}', v.e, v.m FROM json_to_recordset($1::json) AS v(n integer, w bigint, e bigint, m bigint) ORDER BY v.n`,
        [JSON.stringify(rows)],
      ),
    ]);
  }
}
