import { Injectable } from '@nestjs/common';
import { FileGone, FileStore } from '../files/file-store';
import type { MailAttachment, StoredMailFile } from './mail-attachment';
import type { WireFile } from './smtp-client';

/** Opens the files of a mail that is about to leave. */
@Injectable()
export class MailFiles {
  constructor(private readonly files: FileStore) {}

  /** Those that are gone are left out. The streams are the caller's to destroy. */
  async open(attachments: readonly (MailAttachment | StoredMailFile)[]): Promise<WireFile[]> {
    const opened: WireFile[] = [];
    for (const { filename, content_type, ...file } of attachments) {
      const content = 'stored' in file ? await this.stream(file.stored) : file.content;
      if (content !== null) opened.push({ filename, content_type, content });
    }
    return opened;
  }

  private async stream(key: string): Promise<Awaited<ReturnType<FileStore['open']>> | null> {
    try {
      return await this.files.open(key);
    } catch (error) {
      if (error instanceof FileGone) return null;
      throw error;
    }
  }
}
