import { Injectable, type OnModuleInit } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { type Attempt, callAttempt, httpAttempt } from '../../../platform/delivery/attempt';
import { verdictOf } from '../../../platform/delivery/deliveries';
import type { RetryPolicy } from '../../../platform/delivery/retries';
import { Outbound } from '../../../platform/outbound/outbound';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { DELIVERY_QUEUE } from '../../../platform/queue/queue-names';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { AttachmentsService } from '../../attachments/attachments.service';
import type { Outgoing, Receipt } from '../adapters/adapter';
import { ChannelsService, type OpenChannel } from '../channels.service';
import { ThreadMessage } from '../message.entity';
import { publicName } from '../public-name';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';
import { MESSAGE_JOB, Outbox } from './outbox';
import { partsOf } from './parts';
import { isPersonalAlone } from './reply-window';

/** People wait for messages: they are tried for three quarters of an hour. */
const RETRIES: RetryPolicy = { pauses: [5, 30, 120, 600, 1_800], jitter: 0.05, longest: 4 };
/** A channel that is paused is looked at again so soon. */
const PAUSED_MS = 30_000;
/** Parts whose names are kept. */
const MAX_PARTS = 100;
const LINK_SECONDS = 30 * 86_400;
const NO_RECEIPT: Receipt = { external_message_id: null, refusal: null };

/** A message that is its conversation's turn. */
interface Due {
  message: Row<ThreadMessage>;
  thread: Row<ChannelThread>;
  open: OpenChannel;
  inReplyTo: string | null;
}

/** How an attempt went. */
interface Sent extends Attempt {
  receipt: Receipt;
  error: { code: string; message: string } | null;
}

/** Sends what waits in conversations: one message of each at a time, oldest first, until the other side has taken it or never will. */
@Injectable()
export class MessageSender implements JobHandler, OnModuleInit {
  readonly kind = MESSAGE_JOB;
  readonly travelsBy = DELIVERY_QUEUE;
  readonly perGroup = 1;
  readonly perWorkspace = 20;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly outbound: Outbound,
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly channels: ChannelsService,
    private readonly attachments: AttachmentsService,
    private readonly outbox: Outbox,
    private readonly log: ThreadLog,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ group_id: threadId }: Job): Promise<JobOutcome> {
    const due = await this.database.transaction(() => this.claim(threadId));
    if (due === null) return {};
    if (due.open.channel.status === 'paused') return { retryInMs: PAUSED_MS };
    if (due.open.channel.status === 'archived') {
      const gone = { code: 'archived', message: 'The channel was deleted.' };
      return { settle: () => this.end(due, { ...refused(gone), isPermanent: true }, null) };
    }
    const outgoing = this.outgoing(due);
    const parts = partsOf(outgoing, due.open.adapter);
    const { id, parts_sent: place } = due.message;
    const body = parts[place];
    // A file that was the last part may be gone by now.
    const sent = body === undefined ? TAKEN : await this.attempt(due, { ...outgoing, body });
    if (sent.arrived && place + 1 < parts.length)
      return { retryInMs: 0, settle: () => this.goOn(id, place + 1, sent.receipt) };
    const { retryInMs } = verdictOf(sent, due.message.attempts, RETRIES);
    const settle = (): Promise<void> => this.end(due, sent, retryInMs);
    return retryInMs === null ? { settle } : { retryInMs, settle };
  }

  /** From here on its text is what is sent: it can be changed no more. */
  private async claim(threadId: number): Promise<Due | null> {
    const thread = await this.threads.lockIfAny(threadId);
    const head = thread && (await this.outbox.head(threadId));
    const open = head && (await this.channels.open(head.channel_id));
    if (!thread || !head || !open) return null;
    const message = await this.messages.lock(head.id);
    const answered = message.reply_to_id === null ? null : await this.messages.find(message.reply_to_id);
    if (open.channel.status === 'active' || open.channel.status === 'error') await this.count(message.id);
    const counted = { ...message, attempts: message.attempts + 1 };
    return { message: counted, thread, open, inReplyTo: answered?.external_message_id ?? null };
  }

  /** No change that anybody is told of. */
  private async count(id: number): Promise<void> {
    const text = 'UPDATE channel_messages SET attempts = attempts + 1 WHERE workspace_id = $1 AND id = $2';
    await this.database.query(text, [currentWorkspaceId(), id]);
  }

  /** A part has arrived; the next one has attempts of its own. */
  private async goOn(id: number, partsSent: number, { external_message_id }: Receipt): Promise<void> {
    const text = `UPDATE channel_messages SET parts_sent = $3, attempts = 0, part_ids = (part_ids || $4::text[])[:${MAX_PARTS}]
      WHERE workspace_id = $1 AND id = $2`;
    const ids = external_message_id === null ? [] : [external_message_id];
    await this.database.query(text, [currentWorkspaceId(), id, partsSent, ids]);
  }

  private async attempt({ open: { adapter, settings } }: Due, outgoing: Outgoing): Promise<Sent> {
    const request = adapter.send?.(outgoing, settings) ?? null;
    if (request === null)
      return {
        ...refused({ code: 'receives_only', message: 'The channel has nowhere to send to.' }),
        isPermanent: true,
      };
    const result = await this.outbound.send(request);
    const made = httpAttempt(result);
    if (!made.arrived) {
      const why = result.error ?? {
        code: `http_${result.status ?? 0}`,
        message: `The server answered ${result.status ?? 'nothing'}.`,
      };
      // What is refused once would be refused again.
      const { isPermanent } = callAttempt(result);
      return { ...made, isPermanent, receipt: NO_RECEIPT, error: { code: why.code, message: why.message } };
    }
    const receipt = adapter.receipt?.(result) ?? NO_RECEIPT;
    if (receipt.refusal === null) return { ...made, receipt, error: null };
    const { code, message, isPermanent } = receipt.refusal;
    return { ...made, arrived: false, isPermanent, receipt, error: { code, message } };
  }

  private outgoing({ message, thread, open, inReplyTo }: Due): Outgoing {
    const files = message.attachments.map(({ id, filename, content_type }) => ({
      filename,
      content_type,
      url: this.attachments.linkTo(id, LINK_SECONDS).url,
    }));
    return {
      id: message.id,
      channel_id: message.channel_id,
      thread_id: thread.id,
      conversation: thread.conversation ?? '',
      to: thread.peer_address ?? '',
      to_name: thread.peer_name,
      body: message.body,
      files,
      // What is quoted stands above the first part.
      in_reply_to: message.parts_sent === 0 ? inReplyTo : null,
      author_name: publicName(message),
      metadata: message.metadata,
      template: message.template,
      is_personal_alone: isPersonalAlone(open, {
        ...{ lastInboundAt: thread.last_inbound_at, author: message.author_type, nowMs: clockMs() },
      }),
      created_at: message.created_at,
    };
  }

  /** Writes down how it went; what was deleted meanwhile stays so. */
  private async end(
    { message: { id, thread_id, channel_id } }: Due,
    sent: Sent,
    retryInMs: number | null,
  ): Promise<void> {
    const thread = await this.threads.lockIfAny(thread_id);
    const message = thread && (await this.messages.lockIfAny(id));
    if (!message) return;
    if (message.status === 'queued' && sent.arrived) await this.arrived(message, sent.receipt);
    if (message.status === 'queued' && !sent.arrived && retryInMs === null) await this.failed(message, sent);
    if (!sent.arrived && sent.error?.code === 'http_410') await this.channels.failed(channel_id, sent.error);
    if (retryInMs === null) await this.outbox.next(thread_id);
  }

  private async arrived(message: Row<ThreadMessage>, { external_message_id }: Receipt): Promise<void> {
    const known = external_message_id !== null && (await this.isKnown(message, external_message_id));
    const values = {
      status: 'sent' as const,
      sent_at: await this.database.moment(),
      error: null,
      ...(external_message_id === null || known ? {} : { external_message_id }),
    };
    await this.messages.apply(message, { values });
    await this.log.tellChange(message.thread_id, { id: message.id, status: values.status });
  }

  private async failed(message: Row<ThreadMessage>, { error }: Sent): Promise<void> {
    await this.messages.apply(message, { values: { status: 'failed', error } });
    await this.log.tellFailure(message.thread_id, { id: message.id, error });
  }

  /** The other side gave one name to two messages. */
  private async isKnown({ channel_id }: Row<ThreadMessage>, external_message_id: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM channel_messages WHERE workspace_id = $1 AND channel_id = $2 AND external_message_id = $3 FOR KEY SHARE',
      [currentWorkspaceId(), channel_id, external_message_id],
    );
    return rows.length > 0;
  }
}

/** Nothing is left to be taken. */
const TAKEN: Sent = { arrived: true, isPermanent: false, askedSeconds: null, receipt: NO_RECEIPT, error: null };

function refused(error: { code: string; message: string }): Sent {
  return { arrived: false, isPermanent: false, askedSeconds: null, receipt: NO_RECEIPT, error };
}
