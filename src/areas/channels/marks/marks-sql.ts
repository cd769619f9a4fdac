/** How often something was said of a message without words. */
export interface Reaction {
  emoji: string;
  count: number;
  /** Users among those who did; at most 50. */
  user_ids: number[];
}

const ids = { type: 'array', items: { type: 'integer', format: 'int64' } } as const;

export const reactionsSchema = {
  type: 'array' as const,
  items: {
    type: 'object' as const,
    required: ['emoji', 'count', 'user_ids'],
    properties: { emoji: { type: 'string' }, count: { type: 'integer', minimum: 1 }, user_ids: ids },
  },
  description: 'Which came first stands first; of users the first 50.',
};

/** SQL of the reactions to a message, JSON. */
export function reactionsOf(message: string): string {
  return `(SELECT coalesce(json_agg(json_build_object('emoji', x.emoji, 'count', x.n, 'user_ids', x.users[1:50]) ORDER BY x.first), '[]'::json)
    FROM (SELECT r.emoji, count(*) AS n, min(r.created_at) AS first,
        coalesce(array_agg(r.user_id ORDER BY r.created_at, r.user_id) FILTER (WHERE r.user_id IS NOT NULL), '{}') AS users
      FROM channel_reactions r WHERE r.workspace_id = ${message}.workspace_id AND r.message_id = ${message}.id GROUP BY r.emoji) x)`;
}

/** SQL of the users who have read a conversation as far as a message, JSON. */
export function readersOf(message: string): string {
  return `(SELECT coalesce(json_agg(x.user_id ORDER BY x.user_id), '[]'::json) FROM (SELECT d.user_id FROM channel_reads d
    WHERE d.workspace_id = ${message}.workspace_id AND d.thread_id = ${message}.thread_id AND d.position >= ${message}.position ORDER BY d.user_id LIMIT 100) x)`;
}
