import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { EventRedaction, type Redacted, type Redactor } from '../../platform/events/event-redaction';
import { fail } from '../../platform/errors/api-error';
import type { ListResult } from '../../platform/http/results';
import { Mailer } from '../../platform/mail/mailer';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';
import { MAX_REQUEST, MAX_RESPONSE } from './integration-log.entity';
import { Integration } from './integration.entity';
import { IntegrationLog } from './integration-log.entity';

const PRUNE_BATCH = 1_000;

/** What is to be logged. Texts are cut to what is kept; secrets must be out of them already. */
export interface NewLog {
  integration_id: number;
  direction: 'outbound' | 'inbound';
  event: string;
  status: 'success' | 'failed' | 'retrying' | 'skipped';
  http_method?: string | null;
  url?: string | null;
  request_headers?: Readonly<Record<string, string>>;
  request_body?: string | null;
  response_status?: number | null;
  response_body?: string | null;
  duration_ms?: number;
  attempt?: number;
  error?: { code: string; message: string } | null;
  delivery_id?: string | null;
  request_id?: string | null;
}

/** What integrations sent and received, message by message. */
@Injectable()
export class IntegrationLogsService implements Redactor, OnModuleInit {
  constructor(
    @InjectReader(IntegrationLog) private readonly records: Reader<IntegrationLog>,
    @InjectWorkspaceRepository(Integration) private readonly integrations: WorkspaceRepository<Integration>,
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
    private readonly redaction: EventRedaction,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
    this.jobs.register('prune-integration-logs', 3_600_000, () => this.prune());
  }

  /** The log of one installation; 404 when there is none. */
  async listOf(integrationId: number, params: ListParams): Promise<ListResult> {
    const isKnown = await this.integrations.existsBy({ id: integrationId });
    if (!isKnown) fail('not_found', `No integration ${integrationId}.`);
    return this.records.list(params, { integration_id: integrationId });
  }

  /** The log of a message that told of it keeps that it was sent or received, and not what it said. */
  async redact({ events, objectId, member, ids, mails }: Redacted): Promise<void> {
    if (member === 'comment') mails.push(...(await this.mailer.withdraw({ once: ids.map((id) => `comment:${id}`) })));
    await this.database.query(
      `UPDATE integration_logs l SET request_body = NULL, response_body = NULL
       WHERE l.workspace_id = $1 AND l.delivery_id IN (
         SELECT d.uid::text FROM integrations i JOIN integration_deliveries d ON d.workspace_id = $1 AND d.integration_id = i.id
         WHERE i.workspace_id = $1 AND d.event_id = ANY($2::bigint[])
         UNION ALL SELECT m.message_id FROM mail_messages m
         WHERE m.workspace_id = $1 AND m.ticket_id = $3 AND $4 AND m.comment_id = ANY($5::bigint[]))`,
      [currentWorkspaceId(), events.map(({ id }) => id), objectId, member === 'comment', ids],
    );
  }

  /** Mail is logged by its subject, which a rule may have made of the text. */
  async afterwards({ mails }: Redacted): Promise<void> {
    await this.database.query(
      `UPDATE integration_logs SET request_body = NULL, response_body = NULL, request_headers = request_headers - 'Subject'
       WHERE workspace_id = $1 AND delivery_id = ANY($2::text[])`,
      [currentWorkspaceId(), mails],
    );
  }

  /** Adds an entry, inside the current unit of work. */
  async add(log: NewLog): Promise<void> {
    await this.database.query(
      `INSERT INTO integration_logs (workspace_id, integration_id, direction, event, status, http_method, url, request_headers,
         request_body, response_status, response_body, duration_ms, attempt, error, delivery_id, request_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12, $13, $14::jsonb, $15, $16)`,
      [
        currentWorkspaceId(),
        log.integration_id,
        log.direction,
        log.event,
        log.status,
        log.http_method ?? null,
        storable(log.url, 2_048),
        JSON.stringify(
          Object.fromEntries(
            Object.entries(log.request_headers ?? {}).map(([name, value]) => [name, storable(value, 2_048)]),
          ),
        ),
        storable(log.request_body, MAX_REQUEST),
        log.response_status ?? null,
        storable(log.response_body, MAX_RESPONSE),
        log.duration_ms ?? 0,
        log.attempt ?? 1,
        log.error ? JSON.stringify({ code: log.error.code, message: storable(log.error.message, 1_000) }) : null,
        storable(log.delivery_id, 250),
        storable(log.request_id, 200),
      ],
    );
  }

  /** Entries and finished deliveries go after 30 days; one batch, inside `Database.system()`. */
  async prune(): Promise<unknown> {
    const [gone] = await this.database.query<{ n: number }>(
      `WITH logs AS (
         DELETE FROM integration_logs WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM integration_logs WHERE created_at < now() - interval '30 days' LIMIT ${PRUNE_BATCH}) RETURNING 1
       ), deliveries AS (
         DELETE FROM integration_deliveries WHERE (workspace_id, id) IN (
           SELECT workspace_id, id FROM integration_deliveries
           WHERE created_at < now() - interval '30 days' AND status <> 'pending' LIMIT ${PRUNE_BATCH}) RETURNING 1
       ) SELECT greatest((SELECT count(*) FROM logs), (SELECT count(*) FROM deliveries)) AS n`,
    );
    return gone?.n === PRUNE_BATCH ? RUN_AGAIN : undefined;
  }
}

/** Text as PostgreSQL can hold it, at most `max` characters and as many bytes, with a mark where it was cut. */
function storable(text: string | null | undefined, max: number): string | null {
  if (text === null || text === undefined) return null;
  const clean = text.toWellFormed().replaceAll('\0', '');
  if (Buffer.byteLength(clean) <= max) return clean;
  // A cut inside a character leaves a replacement mark, which is cut off as well.
  return `${Buffer.from(clean)
    .subarray(0, max - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}
