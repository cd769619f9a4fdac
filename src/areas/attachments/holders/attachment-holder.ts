import type { Permission } from '../../../platform/context/permission-table';
import type { Attachment } from '../attachment.entity';
import type { AttachedFile } from './attached-file';

/** What a file can hang on, by its column; a comment counts more than its ticket. */
export const HOLDER_COLUMNS = ['comment_id', 'ticket_id', 'article_id', 'quote_id', 'message_id', 'user_id'] as const;
export type HolderColumn = (typeof HOLDER_COLUMNS)[number];

/** The references of a file. */
export type Hanging = Readonly<Pick<Attachment, HolderColumn>>;

/** What an area says of the files that hang on its records. */
export interface AttachmentHolder {
  readonly column: HolderColumn;
  /** What one must be allowed to do in order to delete them. */
  readonly permission: Permission;
  /** Whether customers may see what hangs on the record: not on an internal note, nor on a draft. Inside a unit of work. */
  isPublic(id: number): Promise<boolean>;
  /** What a file that came from another system hangs on with the record; null where there is no such record. Inside a unit of work. */
  place?(id: number): Promise<Partial<Hanging> | null>;
  /** Files came with the record, or were taken back: it shows them, or no more, and is no other for that. Inside the unit of work. */
  shows?(id: number, files: readonly AttachedFile[], gone?: readonly number[]): Promise<void>;
  /** The file is about to go: refuses that, or forgets it. Inside the unit of work. */
  letGo?(id: number, attachmentId: number): Promise<void>;
}

/** The record that a file hangs on; null while there is none. */
export function holderOf(file: Hanging): { column: HolderColumn; id: number } | null {
  for (const column of HOLDER_COLUMNS) {
    const id = file[column];
    if (id !== null) return { column, id };
  }
  return null;
}
