import type { ThreadMessage } from './message.entity';

/** What the other side is told of who wrote a message: people by their names, a token of nobody by none, as its name is for those who run the desk. */
export function publicName({
  direction,
  author_type,
  author_id,
  author_name,
}: Pick<ThreadMessage, 'direction' | 'author_type' | 'author_id' | 'author_name'>): string | null {
  const isNobodys = direction !== 'inbound' && author_type === 'agent' && author_id === null;
  return isNobodys ? null : author_name;
}
