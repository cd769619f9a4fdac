import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { clockMs } from '../../platform/context/clock';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { fail, invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { PublicLinks } from '../../platform/secrets/public-links';
import { ATTACHMENT_PAGE, contentPath } from './attachment-address';
import type { AttachmentLink, NewAttachmentLink } from './attachment.dto';
import { Attachment } from './attachment.entity';
import { AttachmentHolders } from './holders/attachment-holders';
import type { AttachedFile } from './holders/attached-file';
import { holderOf } from './holders/attachment-holder';
import type { ArrivedFile } from './intake/arrived-file';
import type { Receipt } from './intake/receipt';
import { AttachmentQuota } from './upkeep/attachment-quota';

/** How long a link opens a file, unless it is said. */
const LINK_SECONDS = 7 * 86_400;

/** What a file that came by mail is in it. */
export interface MailPlace {
  is_inline: boolean;
  content_id: string | null;
}

/** A file as it is stored. */
export type KeptFile = Pick<Attachment, 'id' | 'filename' | 'size' | 'sha256' | 'storage_key'>;

/** The rows of files: added once the file is there, seen by whoever may see the record, linked to for customers. */
@Injectable()
export class AttachmentsService {
  constructor(
    @InjectStore(Attachment) private readonly records: Store<Attachment>,
    @InjectWorkspaceRepository(Attachment) private readonly stored: WorkspaceRepository<Attachment>,
    private readonly database: Database,
    private readonly quota: AttachmentQuota,
    private readonly holders: AttachmentHolders,
    private readonly links: PublicLinks,
  ) {}

  /** Adds the row of a file that a request has brought. */
  create(receipt: Receipt): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const { file, external_id } = receipt;
      const written = await this.add(file, { external_id });
      if (receipt.isGone) fail('service_unavailable', 'The file was given back; send it again.');
      this.database.afterCommit(() => void (receipt.isKept = true));
      return this.records.answer(written, 201);
    });
  }

  /** Adds the row of a file that is in the store, and answers its id. Inside the unit of work. @throws ApiError 422 where the workspace is full */
  async keep(file: ArrivedFile, place: MailPlace): Promise<number> {
    return (await this.add(file, place)).id;
  }

  /** Where files are kept, by their ids; those that are gone are left out. Inside the unit of work. */
  async keysOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.stored.find({ select: { id: true, storage_key: true }, where: { id: In([...ids]) } });
    return new Map(rows.map(({ id, storage_key }) => [id, storage_key]));
  }

  /** Files as the record that they hang on shows them; those that are gone are left out. Inside the unit of work. */
  async attached(ids: readonly number[]): Promise<AttachedFile[]> {
    if (ids.length === 0) return [];
    return this.database.query<AttachedFile>(
      `SELECT id, filename, content_type, size, ${contentPath('id')} AS url FROM attachments
       WHERE workspace_id = $1 AND id = ANY($2::bigint[]) ORDER BY array_position($2::bigint[], id)`,
      [currentWorkspaceId(), ids],
    );
  }

  /** The files behind an id, in its order, whatever they hang on: for what takes all of them along. */
  behind(id: number, limit: number): Promise<KeptFile[]> {
    const select = { id: true, filename: true, size: true, sha256: true, storage_key: true } as const;
    return this.database.transaction(() =>
      this.stored.find({ select, where: { id: MoreThan(id) }, order: { id: 'ASC' }, take: limit }),
    );
  }

  /** The row of a file that the caller may see. */
  async row(id: number): Promise<Row<Attachment>> {
    return (await this.database.transaction(() => this.records.find(id))) ?? this.records.missing(id);
  }

  /** The record forgets it; the file itself goes a moment later. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const found = (await this.records.find(id)) ?? this.records.missing(id);
      // Whoever attaches files holds the record before the file; so does who takes them away.
      await this.holders.letGo(found);
      return this.records.remove(id, expected, (before) => {
        if (holderOf(before)?.id !== holderOf(found)?.id)
          invalid('id', 'in_use', 'The file was attached to a record just now; try again.');
        return Promise.resolve();
      });
    });
  }

  /** A link for somebody without a token. It opens the file for as long as customers may see the record. */
  async link(id: number, { expires_in_seconds: seconds = LINK_SECONDS }: NewAttachmentLink): Promise<AttachmentLink> {
    const file = await this.row(id);
    if (!(await this.holders.isPublic(file)))
      invalid('id', 'internal', 'Customers may not see this file: it is of no record, an internal note or a draft.');
    return this.linkTo(id, seconds);
  }

  /** The address of a file for customers, without asking whether they may see it: that is asked when it is opened. */
  linkTo(id: number, seconds = LINK_SECONDS): AttachmentLink {
    const expiresAt = new Date((Math.floor(clockMs() / 1000) + seconds) * 1000);
    const url = this.links.url(ATTACHMENT_PAGE, { workspaceId: currentWorkspaceId(), id, expiresAt });
    return { url, expires_at: expiresAt.toISOString() };
  }

  /** The address of a file that is shown for as long as it is there: it does not end by itself. */
  lastingLink(id: number): string {
    return this.links.url(ATTACHMENT_PAGE, { workspaceId: currentWorkspaceId(), id });
  }

  private async add(file: ArrivedFile, more: Values<Attachment>): ReturnType<Store<Attachment>['insert']> {
    await this.quota.claim(file.size);
    return this.records.insert(file, (values) => {
      Object.assign(values, file, { sent_by: current().principal?.userId ?? null }, more);
      return undefined;
    });
  }
}
