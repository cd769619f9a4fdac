import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ImapFlow } from 'imapflow';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS, JOBS } from '../../../platform/queue/job-table';
import { EVENT_RETRIES, retryDelayMs } from '../../../platform/delivery/retries';
import { PeriodicJobs } from '../../../platform/schedule/periodic-jobs';
import { IntegrationLogsService } from '../integration-logs.service';
import { IntegrationStates } from '../integration-states.service';
import { type Installation, IntegrationsService } from '../integrations.service';
import { settingsOf } from '../integration-config';
import { ImapConfig } from '../provider-configs';
import { ImapClient, MAX_MESSAGE, type OpenMailbox } from './imap-client';
import { imapFailure } from './imap-failure';
import { MailIntake } from './mail-intake';

/** Kind of the job that looks into a mailbox; its subject is an imap installation. */
const POLL_JOB = 'mail_poll';

const PLAN_MS = 5_000;
const POLL_MS = 240_000;
/** Messages of one look; the rest comes with the next, which follows at once. */
const BATCH = 50;
const DAY_MS = 86_400_000;

/** Where the last look ended. */
interface Bookmark {
  uid_validity: number | null;
  last_uid: number;
  last_success_at: string | null;
}

/** Looks into mailboxes. A server that hangs holds up its own group only. */
@Injectable()
export class MailPoll implements JobHandler, OnModuleInit {
  readonly kind = POLL_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 300_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly integrations: IntegrationsService,
    private readonly imap: ImapClient,
    private readonly intake: MailIntake,
    private readonly states: IntegrationStates,
    private readonly logs: IntegrationLogsService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
    this.jobs.register('plan-mail-polls', PLAN_MS, () => this.plan());
  }

  /** Makes a job of every mailbox whose time has come; inside `Database.system()`. */
  async plan(): Promise<void> {
    await this.database.query(
      `${INSERT_JOBS}
       SELECT i.workspace_id, '${POLL_JOB}', i.id, i.id FROM integrations i
       LEFT JOIN integration_states s ON s.workspace_id = i.workspace_id AND s.integration_id = i.id
       WHERE i.provider = 'imap' AND i.status = 'active' AND (s.next_poll_at IS NULL OR s.next_poll_at <= now())
         AND NOT EXISTS (SELECT 1 FROM ${JOBS} w WHERE w.workspace_id = i.workspace_id AND w.kind = '${POLL_JOB}'
                           AND w.subject_id = i.id AND w.state <> 'dead')
       ORDER BY s.next_poll_at NULLS FIRST LIMIT 500`,
    );
    this.database.afterCommit(() => this.queue.wake());
  }

  async perform(job: Job): Promise<JobOutcome> {
    const installation = await this.database.transaction(() => this.integrations.open(job.subject_id));
    if (installation?.status !== 'active') return {};
    const began = performance.now();
    try {
      const isMore = await this.imap.inMailbox(settingsOf(ImapConfig, installation.config), POLL_MS, (mailbox) =>
        this.read(installation, mailbox),
      );
      return { settle: () => this.looked(installation, isMore) };
    } catch (error) {
      // PostgreSQL was away: the queue repeats the attempt.
      if (error instanceof ApiError) throw error;
      const durationMs = Math.round(performance.now() - began);
      return { settle: () => this.failed(installation, imapFailure(error), durationMs) };
    }
  }

  /** Takes new messages, oldest first; answers whether there are more. */
  private async read(installation: Installation, { client, uidValidity, uidNext }: OpenMailbox): Promise<boolean> {
    const start = await this.bookmark(installation, uidValidity, uidNext);
    const query = start.since === null ? {} : { since: start.since };
    const found = (await client.search({ uid: `${start.lastUid + 1}:*`, ...query }, { uid: true })) || [];
    // "n:*" always names the last message, even when its uid is below n.
    const uids = found.filter((uid) => uid > start.lastUid).sort((a, b) => a - b);
    const taken: number[] = [];
    try {
      for (const uid of uids.slice(0, BATCH)) {
        const message = await client.fetchOne(
          String(uid),
          { uid: true, size: true, source: { start: 0, maxLength: MAX_MESSAGE } },
          { uid: true },
        );
        // Somebody deleted it a moment ago.
        if (!message || !message.source) continue;
        const isCut = (message.size ?? 0) > message.source.length;
        await this.intake.take(installation, { uid, source: message.source, isCut });
        taken.push(uid);
      }
    } finally {
      if (installation.config.mark_seen === true) await markSeen(client, taken);
    }
    return uids.length > BATCH;
  }

  /**
   * Where to go on. The first look begins at the end of the mailbox, unless what is there is wanted. When the server has
   * numbered its messages anew, those of about the time since the last look are read; known ones are recognised by id.
   */
  private async bookmark(
    { id, config }: Installation,
    uidValidity: number,
    uidNext: number,
  ): Promise<{ lastUid: number; since: Date | null }> {
    return this.database.transaction(async () => {
      const workspaceId = currentWorkspaceId();
      const [mark] = await this.database.query<Bookmark>(
        `SELECT uid_validity, last_uid, last_success_at FROM integration_states WHERE workspace_id = $1 AND integration_id = $2`,
        [workspaceId, id],
      );
      const known = mark?.uid_validity ?? null;
      if (known === uidValidity) return { lastUid: mark?.last_uid ?? 0, since: null };
      const isFirst = known === null;
      const lastUid = isFirst && config.import_existing !== true ? uidNext - 1 : 0;
      await this.database.query(
        `INSERT INTO integration_states (workspace_id, integration_id, uid_validity, last_uid) VALUES ($1, $2, $3, $4)
         ON CONFLICT (workspace_id, integration_id) DO UPDATE SET uid_validity = $3, last_uid = $4`,
        [workspaceId, id, uidValidity, lastUid],
      );
      const last = mark?.last_success_at ?? null;
      return { lastUid, since: isFirst || last === null ? null : new Date(Date.parse(last) - DAY_MS) };
    });
  }

  private async looked({ id, config }: Installation, isMore: boolean): Promise<void> {
    await this.states.succeeded(id);
    await this.nextAt(id, isMore ? 0 : settingsOf(ImapConfig, config).poll_interval_seconds * 1_000);
  }

  /** Waits as long as webhooks do between their retries; after the last one the installation rests. */
  private async failed(
    { id, config }: Installation,
    error: { code: string; message: string },
    durationMs: number,
  ): Promise<void> {
    const failures = await this.states.stumbled(id, error);
    const delayMs = retryDelayMs(EVENT_RETRIES, failures, null);
    const { host, mailbox } = settingsOf(ImapConfig, config);
    await this.logs.add({
      integration_id: id,
      direction: 'inbound',
      event: 'mail.received',
      status: delayMs === null ? 'failed' : 'retrying',
      http_method: 'IMAP',
      url: `imap://${host}/${encodeURIComponent(mailbox)}`,
      duration_ms: durationMs,
      attempt: failures,
      error,
    });
    if (delayMs === null) await this.integrations.failed(id, error);
    else await this.nextAt(id, delayMs);
  }

  private async nextAt(id: number, delayMs: number): Promise<void> {
    await this.database.query(
      `UPDATE integration_states SET next_poll_at = now() + make_interval(secs => $3::float8 / 1000)
       WHERE workspace_id = $1 AND integration_id = $2`,
      [currentWorkspaceId(), id, delayMs],
    );
  }
}

/** A courtesy to people who look into the mailbox: what was read in is known by its uid, not by this flag. */
async function markSeen(client: ImapFlow, uids: readonly number[]): Promise<void> {
  if (uids.length === 0 || !client.usable) return;
  await client.messageFlagsAdd(uids.join(','), ['\\Seen'], { uid: true }).catch(() => undefined);
}
