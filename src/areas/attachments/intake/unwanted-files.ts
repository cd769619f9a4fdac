import { Injectable, Logger } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { Attachment } from '../attachment.entity';
import { AttachmentQuota } from '../upkeep/attachment-quota';
import type { ArrivedFile } from './arrived-file';
import { FileIntake } from './file-intake';
import type { Receipt } from './receipt';

type Stored = Pick<ArrivedFile, 'storage_key'>;

const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/** Gives files back that no row tells of, which whoever lost the connection at the commit does not know of its own. */
@Injectable()
export class UnwantedFiles {
  private readonly logger = new Logger(UnwantedFiles.name);

  constructor(
    private readonly database: Database,
    @InjectWorkspaceRepository(Attachment) private readonly stored: WorkspaceRepository<Attachment>,
    private readonly quota: AttachmentQuota,
    private readonly intake: FileIntake,
  ) {}

  /**
   * The connection is over. Its sender may have hung up, or was told that it takes too long, while the row is being written: whoever
   * adds a row of the workspace holds its quota, so that is waited for. What cannot be told now, the upkeep finds.
   */
  async giveBack(receipt: Pick<Receipt, 'isGone'> & { file: Stored }, workspaceId: number): Promise<void> {
    try {
      await this.database.inWorkspace(workspaceId, ACTOR, () =>
        this.database.transaction(async () => {
          await this.quota.hold();
          receipt.isGone = !(await this.stored.existsBy({ storage_key: receipt.file.storage_key }));
        }),
      );
    } catch (error) {
      this.logger.warn(`Whether a file is wanted cannot be told: ${String(error)}`);
      return;
    }
    if (receipt.isGone) await this.intake.discard(receipt.file);
  }

  /** The same of a file that nothing holds on to, in the workspace at hand. Outside of any unit of work. */
  discard(file: Stored): Promise<void> {
    return this.giveBack({ file, isGone: false }, currentWorkspaceId());
  }
}
