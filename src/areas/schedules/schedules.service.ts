import { Injectable } from '@nestjs/common';
import { current } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { changeMany, countOf } from '../../platform/resource/many-changes';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { orderedHolidays } from './holidays';
import type { CreateSchedule, UpdateSchedule } from './schedule.dto';
import { WorkSchedule } from './schedule.entity';

/** Schedules. One of a workspace may be the default; changes that touch it take turns. */
@Injectable()
export class SchedulesService {
  constructor(
    @InjectStore(WorkSchedule) private readonly schedules: Store<WorkSchedule>,
    private readonly database: Database,
  ) {}

  create(body: CreateSchedule): Promise<SingleResult> {
    return this.schedules.holding(() =>
      this.schedules.create(body, async (values) => {
        values.timezone ??= current().principal?.workspace?.timezone ?? 'UTC';
        order(values);
        if (values.is_default) await this.takeDefault(0);
        return undefined;
      }),
    );
  }

  /** Changes a schedule. What follows it, follows: SLA policies in the same unit of work, their open tickets in the background. */
  update(id: number, body: UpdateSchedule, expected: ExpectedVersions): Promise<SingleResult> {
    return this.schedules.holding(() =>
      this.schedules.update(id, body, expected, async (before, values) => {
        order(values);
        if (values.is_default && !before.is_default) await this.takeDefault(id);
        return { values };
      }),
    );
  }

  /** 422 while SLA policies follow it. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.schedules.remove(id, expected, (schedule) => this.requireUnused(schedule));
  }

  /** Takes it from the other that is the default, with a version and an event of its own. */
  private async takeDefault(id: number): Promise<void> {
    await changeMany(this.database, {
      resource: 'schedules',
      condition: (bind) => `m.is_default AND m.id <> ${bind(id)}`,
      values: { is_default: false },
      events: ['schedule.updated'],
      changes: { is_default: { from: true, to: false } },
    });
  }

  private async requireUnused({ id }: Row<WorkSchedule>): Promise<void> {
    const policies = await countOf(this.database, 'sla_policies', (bind) => `m.schedule_id = ${bind(id)}`);
    if (policies === 0) return;
    const message = `The schedule is in use: ${policies} SLA policies follow it. Give them other hours first: GET /sla?schedule_id=${id}.`;
    invalid('id', 'in_use', message, { sla_policies: policies });
  }
}

function order(values: Values<WorkSchedule>): void {
  if (values.holidays) values.holidays = orderedHolidays(values.holidays);
}
