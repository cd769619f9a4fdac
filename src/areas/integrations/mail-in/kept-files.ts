import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import { AttachmentsService } from '../../attachments/attachments.service';
import type { ArrivedFile } from '../../attachments/intake/arrived-file';
import { cleanFileName } from '../../attachments/intake/file-name';
import { FileIntake } from '../../attachments/intake/file-intake';
import { UnwantedFiles } from '../../attachments/intake/unwanted-files';
import type { IncomingMail, MailFile } from './incoming-mail';

/** A file of a message: in the store, or refused. */
export interface ArrivedMailFile {
  told: MailFile;
  file: ArrivedFile | null;
  /** Why it is not there. */
  refusal: string | null;
  /** Set once a row tells of it. */
  isKept: boolean;
}

/** What becomes of the files of a message that is let in. */
export interface KeptMailFiles {
  ids: number[];
  /** What the text says of those that were not kept. */
  notes: string[];
}

/** Keeps the files of messages: stored ahead of the unit of work, which looking into them would hold open; with rows inside of it. */
@Injectable()
export class KeptFiles {
  constructor(
    private readonly intake: FileIntake,
    private readonly unwanted: UnwantedFiles,
    private readonly attachments: AttachmentsService,
    private readonly database: Database,
  ) {}

  /** @throws ApiError 503 where store or scanner are away: the message is to be fetched again */
  async arrive({ attachments }: IncomingMail): Promise<ArrivedMailFile[]> {
    const arrived: ArrivedMailFile[] = [];
    try {
      for (const told of attachments) arrived.push(await this.taken(told));
      return arrived;
    } catch (error) {
      await this.discardOthers(arrived);
      throw error;
    }
  }

  /** Inside the unit of work that makes a ticket or a comment of the message. */
  async keep(arrived: readonly ArrivedMailFile[]): Promise<KeptMailFiles> {
    const kept: KeptMailFiles = { ids: [], notes: [] };
    for (const each of arrived) {
      const refusal = each.refusal ?? (await this.kept(each, kept.ids));
      if (refusal !== null) kept.notes.push(`[Not kept: ${cleanFileName(each.told.filename)}. ${refusal}]`);
    }
    return kept;
  }

  /** Gives back what no row tells of when all is over. */
  async discardOthers(arrived: readonly ArrivedMailFile[]): Promise<void> {
    for (const { file, isKept } of arrived) if (file && !isKept) await this.unwanted.discard(file);
  }

  private async taken(told: MailFile): Promise<ArrivedMailFile> {
    try {
      const file = await this.intake.take(Readable.from([told.content], { objectMode: false }), told);
      return { told, file, refusal: null, isKept: false };
    } catch (error) {
      return { told, file: null, refusal: refusalOf(error), isKept: false };
    }
  }

  private async kept(each: ArrivedMailFile, ids: number[]): Promise<string | null> {
    const { file, told } = each;
    if (!file) return null;
    const { is_inline, content_id } = told;
    try {
      ids.push(await this.attachments.keep(file, { is_inline, content_id }));
      this.database.afterCommit(() => void (each.isKept = true));
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }
}

/** What is wrong with a file. Whatever else is wrong is thrown on. */
function refusalOf(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.message;
  throw error;
}
