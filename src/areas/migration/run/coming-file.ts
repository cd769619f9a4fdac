/** What files of records become. */
export const FILES = 'attachments';
/** Records that files hang on, and the columns by which they do. */
export const COLUMNS = { tickets: 'ticket_id', ticket_comments: 'comment_id', kb_articles: 'article_id' } as const;
export const HOLDERS = ['tickets', 'ticket_comments', 'kb_articles'] as const;

/** A file that a source has of a record. */
export interface ComingFile {
  /** Id of the file there. */
  id: string;
  /** The record that it hangs on: its entity, and its id there. */
  of: (typeof HOLDERS)[number];
  holder: string;
  filename: string | null;
  type: string | null;
  /** Bytes, where somebody says so. */
  size: number | null;
  is_inline: boolean;
  created_at: string | null;
  /** How its source finds it again, when its turn comes: no addresses that open it, for they are secrets and end. */
  at: Readonly<Record<string, string>>;
}

/** Whether files come with a job. */
export function takesFiles({ entities }: { entities: readonly string[] }): boolean {
  return entities.length === 0 || entities.includes(FILES);
}

/** An id of a source as it is known here. */
export function nameOf({ options: { namespace } }: { options: { namespace?: string } }, id: string): string {
  return namespace === undefined ? id : `${namespace}:${id}`;
}
