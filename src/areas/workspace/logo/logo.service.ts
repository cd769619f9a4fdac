import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { Brands } from '../../../platform/brand/brands';
import { currentWorkspaceId } from '../../../platform/context/current';
import { ApiError, fail, invalid } from '../../../platform/errors/api-error';
import { FileGone, FileStore } from '../../../platform/files/file-store';
import { FileResult, type SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';
import { AttachmentsService } from '../../attachments/attachments.service';
import { IMAGES } from '../../attachments/content/served-type';
import { Workspace } from '../workspace.entity';
import type { drawLogo, DrawnLogo } from './draw-logo';

/** Bytes of a file that a logo is made of: it is in memory as a whole for that. */
const MAX_BYTES = 5 * 1_048_576;

const drawing = threadTask<typeof drawLogo>('pictures', join(__dirname, 'draw-logo'), 'drawLogo');

/** The logo of the workspace: a picture made of an uploaded one, which may go afterwards. */
@Injectable()
export class LogoService {
  constructor(
    @InjectStore(Workspace) private readonly workspaces: Store<Workspace>,
    private readonly attachments: AttachmentsService,
    private readonly files: FileStore,
    private readonly workers: Workers,
    private readonly brands: Brands,
  ) {}

  /** @throws ApiError 404 when there is none */
  async picture(): Promise<FileResult> {
    const { logo } = await this.brands.current();
    if (logo === null) fail('not_found', 'The workspace has no logo.');
    const content = Buffer.from(logo.png, 'base64');
    return new FileResult('image/png', content, 'logo.png', { inline: true, etag: `"${digestOf(content)}"` });
  }

  /** Outside a unit of work: drawing takes time. @throws ApiError 422 for a file that is no picture, is too large, or is not there */
  async put(attachmentId: number, expected: ExpectedVersions): Promise<SingleResult> {
    const content = await this.contentOf(attachmentId);
    const drawn = await this.workers.run(drawing, { content });
    if (!drawn) refuse('unreadable', 'The picture cannot be read, or has more than 25 million pixels.');
    return this.keep(drawn, expected);
  }

  /** A picture that is drawn already. */
  keep({ content, width, height }: DrawnLogo, expected: ExpectedVersions = null): Promise<SingleResult> {
    const bytes = Buffer.from(content);
    const logo = { width, height, size: bytes.length, sha256: digestOf(bytes) };
    return this.workspaces.mutate(currentWorkspaceId(), expected, async (before) => {
      await this.brands.keepLogo({ content: bytes, width, height });
      return isSame(before, logo.sha256) ? { values: {} } : { values: { logo } };
    });
  }

  remove(expected: ExpectedVersions): Promise<SingleResult> {
    return this.workspaces.mutate(currentWorkspaceId(), expected, async () => {
      await this.brands.keepLogo(null);
      return { values: { logo: null } };
    });
  }

  private async contentOf(attachmentId: number): Promise<Buffer> {
    const file = await this.attachments.row(attachmentId).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404)
        refuse('not_found', '"attachment_id" names a file that does not exist.');
      throw error;
    });
    if (file.size > MAX_BYTES) refuse('max', 'A logo is made of a file of at most 5 MB.');
    if (!IMAGES.includes(file.content_type)) refuse('format', 'A logo is a picture: PNG, JPEG, GIF, WebP or AVIF.');
    try {
      return await buffer(await this.files.open(file.storage_key));
    } catch (error) {
      if (error instanceof FileGone) refuse('not_found', 'The content of this file is lost.');
      throw error;
    }
  }
}

function isSame({ logo }: Row<Workspace>, sha256: string): boolean {
  return logo?.sha256 === sha256;
}

function refuse(code: string, message: string): never {
  return invalid('attachment_id', code, message);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
