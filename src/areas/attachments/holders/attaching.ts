import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { type Change, type Creation, withRelated } from '../../../platform/resource/change';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import type { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { Alongside } from '../../../platform/resource/write-plan';
import { contentPath } from '../attachment-address';
import type { AttachedFile } from './attached-file';
import type { HolderColumn } from './attachment-holder';

/** A body that may name files. */
export interface NamesFiles {
  attachment_ids?: readonly number[] | undefined;
}

/** Files that a record takes, and what is written beside the record for that. */
export interface Taken {
  files: AttachedFile[];
  rows: Alongside;
}

/** What the references of a file become, by what it is attached to; `t` is the record as it is written. */
const REFERENCES: Readonly<Record<HolderColumn, string>> = {
  ticket_id: 'ticket_id = t.id',
  comment_id: 'comment_id = t.id, ticket_id = t.ticket_id',
  article_id: 'article_id = t.id',
  quote_id: 'quote_id = t.id',
  message_id: 'message_id = t.id',
  user_id: 'user_id = t.id',
};

/**
 * Files become those of a record in the statement that writes it, so that both are there or neither. The one place where that
 * happens: what is of another record, or of another workspace, is refused.
 */
@Injectable()
export class Attaching {
  constructor(private readonly database: Database) {}

  /** A creation that takes the files which its body names. Inside the unit of work. */
  async toNew(column: HolderColumn, body: NamesFiles, creation: Creation | undefined): Promise<Creation> {
    const taken = await this.take(column, body);
    if (!taken) return creation ?? {};
    const related = { ...creation?.related, attachments: taken.files };
    return { ...creation, related, rows: together(creation?.rows, taken.rows) };
  }

  /** A change likewise; also one that changes nothing else. @param told the event of it, where the change names none */
  async toChanged<E extends ResourceEntity>(
    column: HolderColumn,
    body: NamesFiles,
    change: Change<E>,
    told: string,
  ): Promise<Change<E>> {
    const taken = await this.take(column, body);
    if (!taken) return change;
    const events = withRelated(change.events?.length ? change.events : [told], { attachments: taken.files });
    return { ...change, events, always: true, rows: together(change.rows, taken.rows) };
  }

  /**
   * Holds the files for the record that is about to be written with `rows`; null where the body names none.
   *
   * @throws ApiError 422 for those that are not there, or not free
   */
  async take(column: HolderColumn, { attachment_ids: ids = [] }: NamesFiles): Promise<Taken | null> {
    if (ids.length === 0) return null;
    // What somebody else has sent and no record has named is not there for the caller, nor are files of what they do not see.
    const statement = filled({
      text: `SELECT id, filename, content_type, size, ${contentPath('id')} AS url, num_nonnulls(ticket_id, article_id, quote_id, message_id, user_id) = 0 AS is_free
       FROM attachments a WHERE a.workspace_id = $1 AND a.id = ANY($2::bigint[])${andSeen('attachments', 'a')} ORDER BY a.id FOR UPDATE`,
      values: [currentWorkspaceId(), ids],
    });
    const found = await this.database.query<AttachedFile & { is_free: boolean }>(statement.text, statement.values);
    const files = ids.map((id) => {
      const file = found.find((each) => each.id === id);
      if (!file) return invalid('attachment_ids', 'not_found', `There is no attachment ${id}.`, { id });
      if (!file.is_free) invalid('attachment_ids', 'in_use', `Attachment ${id} belongs to a record already.`, { id });
      const { is_free: _, ...shown } = file;
      return shown;
    });
    return {
      files,
      rows: (bind) =>
        `attached AS (UPDATE attachments a SET ${REFERENCES[column]}, version = a.version + 1, updated_at = now() FROM t ` +
        `WHERE a.workspace_id = $1 AND a.id = ANY(${bind(ids)}::bigint[]))`,
    };
  }

  /** The files of a ticket and of its comments go on with another one. Inside a unit of work that changes both tickets, which tell of it. */
  async move(fromTicket: number, toTicket: number): Promise<void> {
    await this.database.query(
      'UPDATE attachments SET ticket_id = $3, version = version + 1, updated_at = now() WHERE workspace_id = $1 AND ticket_id = $2',
      [currentWorkspaceId(), fromTicket, toTicket],
    );
  }
}

function together(one: Alongside | undefined, other: Alongside): Alongside {
  return one ? (bind) => `${one(bind)}, ${other(bind)}` : other;
}
