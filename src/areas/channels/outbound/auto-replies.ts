import { Injectable } from '@nestjs/common';
import { clockMs } from '../../../platform/context/clock';
import { Database } from '../../../platform/database/database';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { canSend, leavingStatus, type OpenChannel } from '../channels.service';
import { isOpenNow } from '../open-hours';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';

/** Nobody is answered by themselves more often in one conversation. */
const PAUSE_MS = 12 * 3_600_000;

/** Answers at once to who writes, by the hours of the channel. On the ticket it is not written: nobody has answered yet. */
@Injectable()
export class AutoReplies {
  constructor(
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly log: ThreadLog,
  ) {}

  /** Inside the unit of work that took a message in. */
  async follow(open: OpenChannel, threadId: number): Promise<void> {
    const { channel } = open;
    if (!channel.auto_reply?.enabled || !canSend(open)) return;
    const thread = await this.threads.lock(threadId);
    const last = thread.auto_replied_at;
    if (last !== null && clockMs() - Date.parse(last) < PAUSE_MS) return;
    const { message = null, outside_hours_message: outside = null } = channel.auto_reply;
    const body = (await isOpenNow(this.database, channel)) ? message : outside;
    if (body === null) return;
    const reply = {
      body,
      direction: 'outbound',
      author_type: 'bot',
      author_name: channel.name,
      status: leavingStatus(open),
    } as const;
    const at = await this.database.moment();
    await this.log.add(thread, { ...reply, contact_id: thread.contact_id }, { auto_replied_at: at });
  }
}
