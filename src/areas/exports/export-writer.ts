import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { currentWorkspaceId } from '../../platform/context/current';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ArchivePart } from './archive/archive-part';
import { ArchiveParts, type StoredPart } from './archive/archive-parts';
import { checksumsName, ExportContent, type Progress } from './export-content';
import { Export } from './export.entity';
import { stepsOf } from './export-steps';

/** Bytes of what is put into one part, about: a part that breaks off is written again. Files are not cut. */
const PART_BYTES = 8 * 1_048_576;
const KEPT_MS = 7 * 86_400_000;

/** A part that is in the store, and how far the export has come with it. */
interface Written {
  part: StoredPart;
  progress: Progress;
  /** Set on the part that ends the archive. */
  completed_at: string | null;
}

/**
 * Writes archives, part by part: each is stored first, outside any unit of work, and counts from the moment at which a short unit of
 * work says so. Whoever comes second with the same part, or is late for an export that was stopped, has written in vain.
 */
@Injectable()
export class ExportWriter {
  constructor(
    @InjectStore(Export) private readonly exports: Store<Export>,
    private readonly database: Database,
    private readonly parts: ArchiveParts,
    private readonly content: ExportContent,
  ) {}

  /** Makes a queued export a running one. */
  begin(id: number): Promise<void> {
    return this.database.transaction(async () => {
      const row = await this.exports.lockIfAny(id);
      if (row?.status !== 'queued') return;
      const started_at = await this.database.moment();
      await this.note(id, { steps: stepsOf(row).length, touched_at: started_at });
      await this.exports.apply(row, { values: { status: 'running', started_at }, events: ['export.started'] });
    });
  }

  /** Adds the next part; false when there is nothing more to do: it is complete, or was stopped. */
  async piece(id: number): Promise<boolean> {
    const row = await this.database.transaction(() => this.exports.find(id));
    if (row?.status !== 'running') return false;
    const written = await this.write(row);
    const outcome = await this.database.transaction(() => this.count(row, written));
    if (outcome === 'late') await this.parts.discard([written.part.storage_key]);
    return outcome !== 'complete';
  }

  /** Takes away what there is of an archive that is being made; whatever part is on its way comes too late. Inside a unit of work. */
  async beginAnew(row: Row<Export>): Promise<void> {
    await this.parts.takeAway(row.id);
    const started_at = await this.database.moment();
    const nothing = { place: 0, after_id: 0, parts: 0, records: 0, contents: {}, bytes: 0 };
    await this.note(row.id, { ...nothing, touched_at: started_at });
    await this.exports.apply(row, { values: { started_at }, events: [], always: true });
  }

  private async write(row: Row<Export>): Promise<Written> {
    const part = new ArchivePart(new Date(await this.moment()));
    // Storing begins first: nothing can be put in that nobody takes out.
    const stored = this.parts.put(part.content());
    const filled = this.fill(part, row).catch((error: unknown) => {
      part.abandon(error);
      throw error;
    });
    const [key, filling] = await Promise.allSettled([stored, filled]);
    // Where storing failed, the filling failed of that.
    if (key.status === 'rejected') throw key.reason;
    if (filling.status === 'rejected') throw filling.reason;
    const { checksums_sha256, ...rest } = filling.value;
    return { ...rest, part: { storage_key: key.value, bytes: part.bytes, checksums_sha256 } };
  }

  private async fill(
    part: ArchivePart,
    row: Row<Export>,
  ): Promise<Omit<Written, 'part'> & { checksums_sha256: string }> {
    const steps = stepsOf(row);
    const { place, after_id, parts, records, contents } = row;
    const progress: Progress = { place, after_id, parts: parts + 1, records, contents };
    for (;;) {
      const step = steps[progress.place];
      if (!step || part.taken >= PART_BYTES) break;
      await this.content.add(part, step, progress, PART_BYTES);
    }
    const isLast = progress.place >= steps.length;
    const checksums_sha256 = await part.addChecksums(checksumsName(progress.parts));
    const completed_at = isLast ? await this.moment() : null;
    if (completed_at !== null) {
      const before = await this.database.transaction(() => this.parts.of(row.id));
      const manifested = { completed_at, contents: progress.contents, parts: [...before, { checksums_sha256 }] };
      await this.content.addManifest(part, row, steps, manifested);
    }
    part.end(isLast);
    return { progress, completed_at, checksums_sha256 };
  }

  /** Makes the part one of the archive, unless somebody else was faster or the export is over. Inside the unit of work. */
  private async count(
    before: Row<Export>,
    { part, progress, completed_at }: Written,
  ): Promise<'more' | 'late' | 'complete'> {
    const { id } = before;
    const row = await this.exports.lockIfAny(id);
    if (row?.status !== 'running' || row.parts !== before.parts || row.version !== before.version) return 'late';
    await this.parts.add(id, progress.parts, part);
    await this.note(id, { ...progress, bytes: row.bytes + part.bytes, touched_at: await this.database.moment() });
    if (completed_at === null) return 'more';
    const expires_at = new Date(Date.parse(completed_at) + KEPT_MS).toISOString();
    const values: Values<Export> = { status: 'completed', completed_at, expires_at };
    await this.exports.apply(row, { values, events: ['export.completed'] });
    return 'complete';
  }

  /** What it has come to; no change of the record that anybody would be told of. Inside a unit of work. */
  private async note(
    id: number,
    to: Partial<Progress> & { steps?: number; bytes?: number; touched_at: string },
  ): Promise<void> {
    const entries = Object.entries(to);
    const columns = entries.map(([name], index) => `${name} = $${index + 3}`);
    const values = entries.map(([, value]) => (typeof value === 'object' ? JSON.stringify(value) : value));
    const text = `UPDATE exports SET ${columns.join(', ')} WHERE workspace_id = $1 AND id = $2`;
    await this.database.query(text, [currentWorkspaceId(), id, ...values]);
  }

  private moment(): Promise<string> {
    return this.database.transaction(() => this.database.moment());
  }
}
