import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import { eventFrame } from '../../../platform/http/streams/event-stream';
import { isRecord, ownJson } from '../../../platform/text/json';
import type { LiveEvent } from '../live/live-events';
import { LiveFeed } from '../live/live-feed';
import type { Audience, LiveStream } from '../live/live-stream';
import { type OpenChat, SOMEBODY } from './chat-door';
import type { Visitor } from './visitor';
import { Visits } from './visits.service';

/** Tells visitors what is said in their conversation, and what becomes of it, while it happens. */
@Injectable()
export class VisitorStreams {
  constructor(
    private readonly database: Database,
    private readonly visits: Visits,
    private readonly feed: LiveFeed,
  ) {}

  /**
   * 404 before anything was said: there is nothing to hear yet.
   *
   * @param isAdmitted asked each time that there is something to tell: who would not be let in any more hears its end
   */
  async open(
    chat: OpenChat,
    visitor: Visitor,
    lastEventId: string | null,
    isAdmitted: () => Promise<boolean>,
  ): Promise<LiveStream> {
    const thread_id = await this.database.transaction(() => this.visits.threadOf(chat, visitor));
    if (thread_id === null) fail('not_found', 'Nothing was said in this conversation yet.');
    let stream: LiveStream | null = null;
    const stays = async (): Promise<boolean> => {
      const isStill = await isAdmitted();
      if (!isStill) stream?.end();
      return isStill;
    };
    const audience: Audience = {
      // Each is asked for by itself: of two with the same conversation one may have an older session.
      key: `visitor ${randomUUID()}`,
      frames: async (workspaceId, events) =>
        (await stays()) ? this.frames(workspaceId, visitor, events) : new Map<LiveEvent, Buffer>(),
      hears: async (notice) => notice.thread_id === thread_id && notice.from === 'agent' && (await stays()),
    };
    stream = await this.feed.openFor(audience, { channel_id: null, thread_id }, lastEventId);
    return stream;
  }

  /** Messages as they are by now: one that was said and changed is told as changed, twice. */
  private async frames(
    workspaceId: number,
    visitor: Visitor,
    events: readonly LiveEvent[],
  ): Promise<ReadonlyMap<LiveEvent, Buffer>> {
    const told = events.flatMap((event) => {
      const id = messageOf(event);
      return id === null ? [] : [{ event, id }];
    });
    const messages = await this.database.inWorkspace(workspaceId, SOMEBODY, () =>
      this.visits.told(
        visitor,
        told.map(({ id }) => id),
      ),
    );
    const frames = new Map<LiveEvent, Buffer>();
    for (const { event, id } of told) {
      const message = messages.get(id);
      if (message) frames.set(event, Buffer.from(eventFrame('message', message, event.mark)));
    }
    return frames;
  }
}

/** The message that an event is about; null for what visitors are not told. */
function messageOf({ type, body }: LiveEvent): number | null {
  if (!type.startsWith('channel_thread.message_')) return null;
  const { data } = ownJson<{ data: { message?: unknown } }>(body);
  return isRecord(data.message) && typeof data.message.id === 'number' ? data.message.id : null;
}
