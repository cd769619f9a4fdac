import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { fail, invalid } from '../../../platform/errors/api-error';
import type {} from '../../../platform/http/fastify-request';
import { ownJson } from '../../../platform/text/json';
import { AttachmentsService } from '../../attachments/attachments.service';
import { FileIntake } from '../../attachments/intake/file-intake';
import { UnwantedFiles } from '../../attachments/intake/unwanted-files';
import { receive } from '../../attachments/intake/upload-reader';
import type { OpenChat } from './chat-door';
import type { Visitor } from './visitor';

/** Bytes of a file of a visitor. */
export const MAX_FILE = 10 * 1_048_576;
const FILE = /^(\d{1,15})\.([\w-]{22})$/;

/** A file that a visitor may send, as the upload answers it. */
export interface SentFile {
  /** Names it in a message: good for this visitor alone. */
  file: string;
  filename: string;
  content_type: string;
  size: number;
}

/** Files of visitors: taken as those of everybody are, and nobody else's to send. */
@Injectable()
export class VisitorFiles {
  constructor(
    private readonly intake: FileIntake,
    private readonly unwanted: UnwantedFiles,
    private readonly attachments: AttachmentsService,
  ) {}

  async take(chat: OpenChat, visitor: Visitor, request: FastifyRequest): Promise<SentFile> {
    if (!chat.settings.attachments) fail('insufficient_scope', 'This chat takes no files.');
    if (!request.upload) throw new Error('A route that receives files has @Upload.');
    const received = await receive(request, request.upload, this.intake);
    const receipt = { ...received, external_id: null, isKept: false, isGone: false };
    try {
      if (received.file.size > MAX_FILE) fail('payload_too_large', `A file has at most ${MAX_FILE} bytes.`);
      const { json } = await this.attachments.create(receipt);
      const { id, filename, content_type, size } = ownJson<SentFile & { id: number }>(json);
      return { file: `${id}.${markOf(id, chat, visitor)}`, filename, content_type, size };
    } finally {
      if (!receipt.isKept) await this.unwanted.discard(received.file);
    }
  }

  /** The ids of files that this visitor has uploaded. @throws ApiError 422 for others */
  idsOf(files: readonly string[], chat: OpenChat, visitor: Visitor): number[] {
    return files.map((file) => {
      const [, id = '', mark = ''] = FILE.exec(file) ?? [];
      const expected = markOf(Number(id), chat, visitor);
      const isOwn = mark.length === expected.length && timingSafeEqual(Buffer.from(mark), Buffer.from(expected));
      if (!isOwn) invalid('files', 'not_found', `"files" names ${file.slice(0, 64)}, which you have not uploaded.`);
      return Number(id);
    });
  }
}

function markOf(id: number, { sign }: OpenChat, { key, isIdentified }: Visitor): string {
  return sign(isIdentified)(`file ${id} of ${key}`).subarray(0, 16).toString('base64url');
}
