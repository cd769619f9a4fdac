import { Injectable } from '@nestjs/common';
import { current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/errors/api-error';
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

  /** Who may not see a record sees none of its files. @throws ApiError 403 */
  requireReadable(file: Hanging): void {
    const at = holderOf(file);
    if (at) this.requirePermission(this.of(at.column));
  }

  /** A list may have files of all kinds of records. @throws ApiError 403 */
  requireAllReadable(): void {
    for (const holder of this.holders.values()) this.requirePermission(holder);
  }

  /** Whether customers may see it. What hangs on nothing is nobody's but its sender's. */
  isPublic(file: Hanging): Promise<boolean> {
    const at = holderOf(file);
    if (!at) return Promise.resolve(false);
    return this.database.transaction(() => this.of(at.column).isPublic(at.id));
  }

  /** Inside the unit of work that deletes the file. */
  async letGo(file: Hanging & { id: number }): Promise<void> {
    const at = holderOf(file);
    if (at) await this.of(at.column).letGo?.(at.id, file.id);
  }

  private requirePermission({ permission }: AttachmentHolder): void {
    const { principal } = current();
    if (principal && !principal.permissions.allows(permission))
      fail('insufficient_scope', 'The record that the file belongs to is not for this caller.');
  }

  private of(column: HolderColumn): AttachmentHolder {
    const holder = this.holders.get(column);
    if (!holder) throw new Error(`No area speaks for ${column}.`);
    return holder;
  }
}
