import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { fail } from '../../../platform/errors/api-error';
import { FileGone, FileStore } from '../../../platform/files/file-store';
import type { Part } from '../../../platform/http/download/byte-range';
import { dispositionOf, type Download, downloadAnswer } from '../../../platform/http/download/stored-file';
import { StreamResult } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/rows';
import type { Attachment } from '../attachment.entity';
import { servedAs } from './served-type';

/** Answers the bytes of files. */
@Injectable()
export class AttachmentContent {
  constructor(private readonly files: FileStore) {}

  /** A stream, or the address in the store that has it. */
  async answer(file: Row<Attachment>, request: FastifyRequest): Promise<StreamResult> {
    const { filename, size, sha256, storage_key } = file;
    const { type, inline } = servedAs(file.content_type);
    const disposition = dispositionOf({ filename, inline });
    const location = await this.files.address(storage_key, { type, disposition });
    if (location !== null) return new StreamResult(302, { location, 'content-length': '0' }, null);
    const open = (part?: Part): Promise<Readable> => this.open(storage_key, part);
    const download: Download = { type, inline, filename, size, etag: `"${sha256}"`, open };
    return downloadAnswer(download, request);
  }

  /** @throws ApiError 404 where the store has lost it */
  private async open(key: string, part?: Part): Promise<Readable> {
    try {
      return await this.files.open(key, part);
    } catch (error) {
      if (error instanceof FileGone) fail('not_found', 'The content of this file is lost.');
      throw error;
    }
  }
}
