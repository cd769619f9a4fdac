import { Injectable } from '@nestjs/common';
import { workspaceZone } from '../../../platform/auth/workspace-settings';
import { current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { reportSpec } from '../report-kinds';
import { groupsOf } from '../report-query';
import { isSchedule, nextMoment } from './report-moments';
import type { CreateReportSchedule, UpdateReportSchedule } from './report-schedule.dto';
import { ReportSchedule } from './report-schedule.entity';

/** Which reports are sent to whom, and when. */
@Injectable()
export class ReportSchedulesService {
  constructor(
    @InjectStore(ReportSchedule) private readonly schedules: Store<ReportSchedule>,
    private readonly database: Database,
  ) {}

  create(body: CreateReportSchedule): Promise<SingleResult> {
    return this.schedules.create(body, async (values) => {
      Object.assign(values, await this.planned(values), { owner_id: callerId() });
      return undefined;
    });
  }

  update(id: number, body: UpdateReportSchedule, expected: ExpectedVersions): Promise<SingleResult> {
    return this.schedules.update(id, body, expected, async (before, values) => ({
      values: { ...values, ...(await this.planned({ ...before, ...values }, before)), owner_id: callerId() },
    }));
  }

  /** Checks what the record will be, and says when it is due; a moment that was planned stays unless its schedule changes. */
  private async planned(
    whole: Values<ReportSchedule>,
    before?: Values<ReportSchedule>,
  ): Promise<Values<ReportSchedule>> {
    const { report = 'sla', group_by = [], recipients = [], schedule = 'weekly', is_active: isActive = true } = whole;
    groupsOf('group_by', group_by, reportSpec(report).groups);
    if (recipients.length === 0) invalid('recipients', 'min', 'recipients names at least one address');
    if (!isSchedule(schedule)) {
      const message =
        'schedule must be daily, weekly, monthly or a cron expression of five fields whose minute is a number';
      invalid('schedule', 'format', message);
    }
    if (!isActive) return { next_send_at: null, due_at: null };
    if (before?.due_at && before.schedule === schedule) return {};
    const moment = new Date(await this.database.moment());
    const next = nextMoment(schedule, await workspaceZone(this.database), moment).toISOString();
    return { next_send_at: next, due_at: next };
  }
}

/** Whoever changes what is sent to whom answers for it with what they see themselves. */
const callerId = (): number | null => current().principal?.userId ?? null;
