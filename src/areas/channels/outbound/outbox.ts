import { Injectable } from '@nestjs/common';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { JobQueue } from '../../../platform/queue/job-queue';
import { ThreadMessage } from '../message.entity';

/** Kind of the job that sends the message of a conversation whose turn it is. */
export const MESSAGE_JOB = 'channel_message';

/**
 * What is to be sent, in order: of a conversation only the first message has a job, and who is done with it makes that of the next. So
 * none overtakes another that has to be tried again.
 */
@Injectable()
export class Outbox {
  constructor(
    @InjectWorkspaceRepository(ThreadMessage) private readonly messages: WorkspaceRepository<ThreadMessage>,
    private readonly queue: JobQueue,
  ) {}

  /** The first message that waits; null when none does. Inside a unit of work. */
  head(threadId: number): Promise<ThreadMessage | null> {
    return this.messages.findOne({ where: { thread_id: threadId, status: 'queued' }, order: { position: 'ASC' } });
  }

  /** A message has come to those that wait. Inside the unit of work that holds the conversation. */
  async follow(threadId: number, messageId: number): Promise<void> {
    if ((await this.head(threadId))?.id === messageId) await this.send(threadId, messageId);
  }

  /** The first one is done with. Inside the unit of work that holds the conversation. */
  async next(threadId: number): Promise<void> {
    const head = await this.head(threadId);
    if (head) await this.send(threadId, head.id);
  }

  private send(threadId: number, messageId: number): Promise<void> {
    return this.queue.add([{ kind: MESSAGE_JOB, subject_id: messageId, group_id: threadId }]);
  }
}
