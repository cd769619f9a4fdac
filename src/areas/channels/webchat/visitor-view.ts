import { createHash } from 'node:crypto';
import type { ThreadMessage } from '../message.entity';
import { publicName } from '../public-name';

/** A message as the visitor of a chat sees it: nothing of notes, ids of people, or how it got there. */
export interface VisitorMessage {
  position: number;
  /** What the client called it; null of others' messages. */
  client_id: string | null;
  from: 'visitor' | 'agent' | 'bot';
  author_name: string | null;
  /** Plain text. */
  body: string;
  files: { filename: string; content_type: string; size: number; url: string }[];
  created_at: string;
  edited_at: string | null;
  is_deleted: boolean;
}

/** What of a message is looked at. */
export type Shown = Pick<
  ThreadMessage,
  | 'position'
  | 'direction'
  | 'author_type'
  | 'author_id'
  | 'author_name'
  | 'body'
  | 'attachments'
  | 'external_message_id'
  | 'created_at'
  | 'edited_at'
  | 'deleted_at'
>;

/** The address of a file for somebody without a token. */
export type LinkTo = (id: number) => string;

/** @param key of the visitor */
export function visitorMessage(message: Shown, key: string, linkTo: LinkTo): VisitorMessage {
  const { position, direction, author_type, body, attachments, created_at, edited_at, deleted_at } = message;
  const isOwn = direction === 'inbound';
  return {
    position,
    client_id: isOwn ? clientIdOf(message.external_message_id, key) : null,
    from: isOwn ? 'visitor' : author_type === 'agent' ? 'agent' : 'bot',
    author_name: publicName(message),
    body,
    files: attachments.map(({ id, filename, content_type, size }) => ({
      filename,
      content_type,
      size,
      url: linkTo(id),
    })),
    ...{ created_at, edited_at, is_deleted: deleted_at !== null },
  };
}

/** What a message of a visitor is called in its channel: the ids that two visitors make up do not meet. */
export function externalId(key: string, clientId: string): string {
  return prefixOf(key) + clientId;
}

/** What stands for the key of a visitor where it need not be known. */
export function shortDigest(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

function prefixOf(key: string): string {
  return `${shortDigest(key)}/`;
}

function clientIdOf(externalMessageId: string | null, key: string): string | null {
  const prefix = prefixOf(key);
  return externalMessageId?.startsWith(prefix) ? externalMessageId.slice(prefix.length) : null;
}
