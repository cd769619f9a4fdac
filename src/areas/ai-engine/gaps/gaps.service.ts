import { Injectable } from '@nestjs/common';
import { boundedWindow } from '../../../platform/calendar/date-window';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { isSmallTalk } from '../conversations/confirmation';
import type { Gaps, GapsQuery } from './gaps.dto';
import { groupQuestions, type OpenQuestion } from './group-questions';

const LENGTH = { days: 30, most: 366 };
const MOST_QUESTIONS = 1_000;
const SHOWN = 20;

/** What was asked, where the engine asked back or handed over because no source said enough. */
const questions = (): string => `
  SELECT m.conversation_id, u.body, to_char(u.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS asked_at, m.score::float AS score
  FROM ai_messages m JOIN ai_conversations c ON c.workspace_id = m.workspace_id AND c.id = m.conversation_id
  CROSS JOIN LATERAL (SELECT q.body, q.created_at FROM ai_messages q WHERE q.workspace_id = m.workspace_id AND q.conversation_id = m.conversation_id
    AND q.role = 'user' AND q.id < m.id ORDER BY q.created_at DESC, q.id DESC LIMIT 1) u
  WHERE m.workspace_id = $1 AND m.action = 'clarify' AND m.created_at >= $2 AND m.created_at < $3${andSeen('ai_conversations', 'c')}
  ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_QUESTIONS}`;

/** What articles are missing for. */
@Injectable()
export class GapsService {
  constructor(private readonly database: Database) {}

  /** @param now ms since 1970 */
  async of({ from: asked, to: until, limit = SHOWN }: GapsQuery, now: number): Promise<Gaps> {
    const window = { ...(asked === undefined ? {} : { from: asked }), ...(until === undefined ? {} : { to: until }) };
    const { from, to } = boundedWindow(window, LENGTH, now);
    const rows = await this.database.read(filled(sql<OpenQuestion>(questions(), [currentWorkspaceId(), from, to])));
    const open = rows.filter(({ body }) => !isSmallTalk(body));
    return { from, to, questions: open.length, gaps: groupQuestions(open).slice(0, limit) };
  }
}
