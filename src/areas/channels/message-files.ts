import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { AttachmentHolder } from '../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../attachments/holders/attachment-holders';
import { ThreadMessage } from './message.entity';
import { ThreadLog } from './thread-log';

/** Files of messages: who is outside sees those that they sent, or that were sent to them. */
@Injectable()
export class MessageFiles implements AttachmentHolder, OnModuleInit {
  readonly column = 'message_id';
  readonly permission = 'channels.write';

  constructor(
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    private readonly holders: AttachmentHolders,
    private readonly log: ThreadLog,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  async isPublic(id: number): Promise<boolean> {
    const message = await this.messages.find(id);
    return message !== null && message.direction !== 'internal';
  }

  async letGo(id: number, attachmentId: number): Promise<void> {
    const message = await this.messages.lockIfAny(id);
    if (!message) return;
    const attachments = message.attachments.filter((file) => file.id !== attachmentId);
    await this.messages.apply(message, { values: { attachments } });
    await this.log.tellChange(message.thread_id, { id, body: message.body, attachments });
  }
}
