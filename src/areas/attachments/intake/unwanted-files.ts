import { Injectable, Logger } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { AttachmentQuota } from '../upkeep/attachment-quota';
import { FileIntake } from './file-intake';
import type { Receipt } from './receipt';

const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/** Gives files back that requests brought and no row tells of. */
@Injectable()
export class UnwantedFiles {
  private readonly logger = new Logger(UnwantedFiles.name);

  constructor(
    private readonly database: Database,
    private readonly quota: AttachmentQuota,
    private readonly intake: FileIntake,
  ) {}

  /**
   * The connection is over. Its sender may have hung up, or was told that it takes too long, while the row is being written: whoever
   * adds a row of the workspace holds its quota, so that is waited for. What cannot be told now, the upkeep finds.
   */
  async giveBack(receipt: Receipt, workspaceId: number): Promise<void> {
    try {
      await this.database.inWorkspace(workspaceId, ACTOR, () =>
        this.database.transaction(async () => {
          await this.quota.hold();
          receipt.isGone = !(await this.isKept(receipt));
        }),
      );
    } catch (error) {
      this.logger.warn(`Whether a file is wanted cannot be told: ${String(error)}`);
      return;
    }
    if (receipt.isGone) await this.intake.discard(receipt.file);
  }

  private async isKept({ file }: Receipt): Promise<boolean> {
    const rows = await this.database.query('SELECT FROM attachments WHERE workspace_id = $1 AND storage_key = $2', [
      currentWorkspaceId(),
      file.storage_key,
    ]);
    return rows.length > 0;
  }
}
