import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callingAs } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
import type { StreamResult } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { Attachment } from '../attachment.entity';
import { AttachmentContent } from '../content/attachment-content';
import { AttachmentHolders } from '../holders/attachment-holders';
import { type Side, Thumbnails } from '../thumbnails/thumbnails';

/** What a signed link answers: the file, as long as customers may see the record that it hangs on now. */
@Injectable()
export class AttachmentPageService {
  constructor(
    @InjectStore(Attachment) private readonly records: Store<Attachment>,
    private readonly database: Database,
    private readonly holders: AttachmentHolders,
    private readonly contents: AttachmentContent,
    private readonly thumbnails: Thumbnails,
  ) {}

  content(target: LinkTarget, request: FastifyRequest): Promise<StreamResult> {
    return this.opened(target, (file) => this.contents.answer(file, request));
  }

  thumbnail(target: LinkTarget, side: Side, request: FastifyRequest): Promise<StreamResult> {
    return this.opened(target, (file) => this.thumbnails.answer(file, side, request));
  }

  private opened<T>({ workspaceId, id }: LinkTarget, work: (file: Row<Attachment>) => Promise<T>): Promise<T> {
    const customer = callingAs({ type: 'requester', id: null, name: 'requester' });
    return this.database.inWorkspace(workspaceId, customer, async () => {
      const file = await this.database.transaction(() => this.records.find(id));
      if (!file || !(await this.holders.isPublic(file))) fail('not_found', 'There is no such file any more.');
      return work(file);
    });
  }
}
