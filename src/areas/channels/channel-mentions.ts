import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccessCache } from '../../platform/auth/access-cache';
import { callerLater } from '../../platform/auth/later';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { sql } from '../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../platform/resource/read/sight';
import { AgentNotices } from '../users/notices/agent-notices';
import type { MentionTeller } from '../users/notices/mention-teller';
import type { NoticeMail } from '../users/notices/notice-mail';

interface Named {
  channel: string;
  subject: string | null;
  actor: string | null;
}

/** Tells users by mail that a message of a channel names them, as notes on tickets do: with the same wish, and never of what they do not see. */
@Injectable()
export class ChannelMentions implements MentionTeller, OnModuleInit {
  readonly types = ['channel_thread.message_added', 'channel_thread.message_updated'];

  constructor(
    private readonly notices: AgentNotices,
    private readonly database: Database,
    private readonly access: AccessCache,
  ) {}

  onModuleInit(): void {
    this.notices.mentionedBy(this);
  }

  named(event: string): string {
    return `coalesce((${event}.related #> '{message,mentioned_ids}')::jsonb, '[]')`;
  }

  async mail(eventId: number, userId: number): Promise<NoticeMail | null> {
    const { actor, workspaceId } = current();
    const reader = await callerLater(this.access, workspaceId ?? 0, actor, userId);
    if (!reader?.permissions.allows('channels.read')) return null;
    const [named] = await this.database.inWorkspace(workspaceId ?? 0, reader, () => this.read(eventId, userId));
    if (!named) return null;
    const { channel, subject, actor: author } = named;
    return {
      subject: `[${channel}] You are mentioned${subject === null ? '' : `: ${subject}`}`,
      text: `${author ?? 'Somebody'} has mentioned you in a message.`,
      letter: { language: 'en', heading: subject === null ? channel : `${channel}: ${subject}` },
    };
  }

  /** As the reader sees it; nothing once it was deleted, or names them no longer. */
  private read(eventId: number, userId: number): Promise<Named[]> {
    const seen = andSeen('channel_threads', 'h');
    const text = `
      SELECT c.name AS channel, nullif(btrim(h.subject), '') AS subject, e.actor ->> 'name' AS actor
      FROM events e
      JOIN channel_messages m ON m.workspace_id = e.workspace_id AND m.id = (e.related #>> '{message,id}')::bigint
      JOIN channel_threads h ON h.workspace_id = m.workspace_id AND h.id = m.thread_id
      JOIN channels c ON c.workspace_id = h.workspace_id AND c.id = h.channel_id
      WHERE e.workspace_id = $1 AND e.id = $2 AND m.deleted_at IS NULL AND $3::bigint = ANY (m.mentioned_ids)${seen}`;
    return this.database.read(filled(sql<Named>(text, [currentWorkspaceId(), eventId, userId])));
  }
}
