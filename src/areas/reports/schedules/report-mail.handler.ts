import { Injectable, type OnModuleInit } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { AccessCache } from '../../../platform/auth/access-cache';
import { callerLater } from '../../../platform/auth/later';
import { workspaceZone } from '../../../platform/auth/workspace-settings';
import { current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { TABLE_TYPES } from '../../../platform/http/table/table-format';
import { streamOf } from '../../../platform/http/table/table-answers';
import { type NewMail, Mailer } from '../../../platform/mail/mailer';
import { MailTexts } from '../../../platform/mail/texts/mail-texts';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { reportSpec } from '../report-kinds';
import { groupsOf } from '../report-query';
import { ReportsService, rowsOf, tableOf } from '../reports.service';
import { reportMail } from './report.mail';
import { reportLetter } from './report-mail';
import { periodBefore } from './report-moments';
import { ReportSchedule } from './report-schedule.entity';

export const REPORT_MAIL_JOB = 'report_mail';

/** Makes the mail of a report when its moment has come, and queues it once, however often it is made. */
@Injectable()
export class ReportMailHandler implements JobHandler, OnModuleInit {
  readonly kind = REPORT_MAIL_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 60_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly reports: ReportsService,
    private readonly mailer: Mailer,
    private readonly access: AccessCache,
    private readonly texts: MailTexts,
    @InjectStore(ReportSchedule) private readonly schedules: Store<ReportSchedule>,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id, workspace_id: workspaceId }: Job): Promise<JobOutcome> {
    const { schedule, timezone } = await this.database.transaction(async () => ({
      schedule: await this.schedules.find(id),
      timezone: await workspaceZone(this.database),
    }));
    if (!schedule?.is_active || schedule.taken_at === null) return {};
    const owner = await callerLater(this.access, workspaceId, current().actor, schedule.owner_id);
    if (!owner?.permissions.allows('reports.read')) return { settle: () => this.stop(id, schedule.owner_id) };
    const moment = new Date(schedule.taken_at);
    const mail = await this.database.inWorkspace(workspaceId, owner, () => this.mailOf(schedule, moment, timezone));
    return { settle: () => this.settle(id, schedule.taken_at, mail) };
  }

  private async mailOf(schedule: Row<ReportSchedule>, moment: Date, timezone: string): Promise<NewMail> {
    const { id, report: kind, group_by: names, format, period } = schedule;
    const groups = names.length === 0 ? null : groupsOf('group_by', names, reportSpec(kind).groups);
    const report = await this.reports.of(kind, periodBefore(period, moment, timezone), timezone, groups);
    // Spreadsheets open the file, and know UTF-8 by its mark.
    const table = tableOf(kind, report, { kind: format, hasBom: true, hasHeader: true });
    const content = await buffer(streamOf(rowsOf(report), table));
    const filename = `${table.name}-${report.from.slice(0, 10)}.${format}`;
    const { values, letter } = reportLetter(schedule.name, report);
    const { subject, text, language } = await this.database.transaction(() =>
      this.texts.written(reportMail, null, values),
    );
    return {
      to: schedule.recipients,
      ...{ subject, text },
      letter: { ...letter, language },
      inside: true,
      once: `report:${id}:${moment.getTime()}`,
      attachments: [{ filename, content_type: TABLE_TYPES[format], content: content.toString('base64') }],
    };
  }

  /** In the transaction that ends the job: whose it is has left, or may not see reports any more, and nobody else has taken it over. */
  private async stop(id: number, owner: number | null): Promise<void> {
    const schedule = await this.schedules.lockIfAny(id);
    if (!schedule?.is_active || schedule.owner_id !== owner) return;
    await this.schedules.apply(schedule, {
      values: { is_active: false, next_send_at: null, due_at: null },
      events: ['report_schedule.updated'],
    });
  }

  /** In the transaction that ends the job. What was deleted or stopped meanwhile is not sent. */
  private async settle(id: number, moment: string | null, mail: NewMail): Promise<void> {
    const schedule = await this.schedules.lockIfAny(id);
    if (!schedule?.is_active || schedule.taken_at !== moment) return;
    await this.mailer.queue(mail);
    await this.schedules.apply(schedule, {
      values: { last_sent_at: await this.database.moment(), next_send_at: schedule.due_at },
      events: ['report_schedule.sent'],
    });
  }
}
