import { Injectable } from '@nestjs/common';
import { demand } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import { type AttachmentHolder, type Hanging, type HolderColumn, holderOf } from './attachment-holder';

/** Whose records files hang on: each area says so of its own. */
@Injectable()
export class AttachmentHolders {
  private readonly holders = new Map<HolderColumn, AttachmentHolder>();

  constructor(private readonly database: Database) {}

  /** Called in `onModuleInit`. */
  register(holder: AttachmentHolder): void {
    if (this.holders.has(holder.column)) throw new Error(`Two areas speak for ${holder.column}.`);
    this.holders.set(holder.column, holder);
  }

  /** Whether customers may see it. What hangs on nothing is nobody's but its sender's. */
  isPublic(file: Hanging): Promise<boolean> {
    const at = holderOf(file);
    if (!at) return Promise.resolve(false);
    return this.database.transaction(() => this.of(at.column).isPublic(at.id));
  }

  /** Inside the unit of work that deletes the file. @throws ApiError 403 for who may not change the record */
  async letGo(file: Hanging & { id: number }): Promise<void> {
    const at = holderOf(file);
    if (!at) return;
    const holder = this.of(at.column);
    demand(holder.permission);
    await holder.letGo?.(at.id, file.id);
  }

  /** What areas say of files that hang on their records. */
  of(column: HolderColumn): AttachmentHolder {
    const holder = this.holders.get(column);
    if (!holder) throw new Error(`No area speaks for ${column}.`);
    return holder;
  }
}
