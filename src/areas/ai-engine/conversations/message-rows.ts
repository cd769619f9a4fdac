import type { Alongside } from '../../../platform/resource/write-plan';
import type { CitedSource } from '../answers/answers.dto';
import type { MessageAction, MessageRole } from './conversation-values';

/** A message to be kept. */
export interface NewMessage {
  role: MessageRole;
  body: string;
  action?: MessageAction;
  score?: number | null;
  confidence?: number | null;
  sources?: readonly CitedSource[];
  /** The model that wrote it; null of what is quoted. */
  model?: string | null;
}

/** Rows of messages, in the statement that writes their conversation `t`. */
export function messageRows(messages: readonly NewMessage[]): Alongside {
  return (bind) => {
    const rows = messages.map((message, at) => ({ sources: [], ...message, at }));
    return `said AS (INSERT INTO ai_messages (workspace_id, conversation_id, role, body, action, score, confidence, sources, model)
      SELECT $1, t.id, v.role, v.body, v.action, v.score, v.confidence, v.sources, v.model FROM t CROSS JOIN json_to_recordset(${bind(JSON.stringify(rows))}::json)
        AS v(at integer, role text, body text, action text, score numeric, confidence numeric, sources jsonb, model text) ORDER BY v.at)`;
  };
}

/** What the customer says of the last answer of the conversation `t` that is being written. */
export function judged(helpful: boolean): Alongside {
  return (bind) =>
    `judged AS (UPDATE ai_messages m SET helpful = ${bind(helpful)}::boolean FROM t WHERE m.workspace_id = $1 AND m.conversation_id = t.id
      AND m.id = (SELECT max(a.id) FROM ai_messages a WHERE a.workspace_id = $1 AND a.conversation_id = t.id AND a.action = 'answer'))`;
}

/** Both beside one write. */
export function together(...parts: readonly Alongside[]): Alongside {
  return (bind) => parts.map((part) => part(bind)).join(', ');
}
