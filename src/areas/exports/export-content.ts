import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { FileGone, FileStore } from '../../platform/files/file-store';
import { recordsAfter } from '../../platform/resource/read/list-answer';
import type { Resource } from '../../platform/resource/resource';
import type { Row } from '../../platform/resource/rows';
import { AttachmentsService } from '../attachments/attachments.service';
import type { ArchivePart } from './archive/archive-part';
import type { StoredPart } from './archive/archive-parts';
import type { Contents, Export } from './export.entity';
import { FILES, nameOf, type Step } from './export-steps';

/** How far an export has come; it moves on while a part is written. */
export type Progress = Pick<Export, 'place' | 'after_id' | 'parts' | 'records' | 'contents'>;

/** Files that are looked up at a time. */
const FILES_AT_ONCE = 100;

/** Puts what a workspace has into the parts of an archive. */
@Injectable()
export class ExportContent {
  constructor(
    private readonly database: Database,
    private readonly attachments: AttachmentsService,
    private readonly files: FileStore,
  ) {}

  /** Puts in what comes next of a step, until the part has so many bytes; `at` moves on. */
  async add(part: ArchivePart, step: Step, at: Progress, most: number): Promise<void> {
    if (step === FILES) await this.addFiles(part, at, most);
    else await this.addRecords(part, step, at);
  }

  /** The last file of all: what there is, and by which checksums it can be checked. */
  async addManifest(
    part: ArchivePart,
    { id, started_at }: Row<Export>,
    steps: readonly Step[],
    at: Manifested,
  ): Promise<void> {
    const manifest = {
      export_id: id,
      workspace_id: currentWorkspaceId(),
      started_at,
      completed_at: at.completed_at,
      format:
        'One record a line, as the API shows it (NDJSON, UTF-8); files/<id of the attachment>/<name>. Check everything: cat checksums/* | sha256sum -c.',
      contents: steps.map((step) => ({ name: nameOf(step), ...(at.contents[nameOf(step)] ?? NOTHING) })),
      checksums: at.parts.map(({ checksums_sha256: sha256 }, index) => ({ name: checksumsName(index + 1), sha256 })),
    };
    await part.addText('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  }

  /** A file of records; none when there are no more, which ends the step. */
  private async addRecords(part: ArchivePart, resource: Resource, at: Progress): Promise<void> {
    const { texts, lastId } = await recordsAfter(this.database, resource, at.after_id);
    if (lastId === null) {
      endStep(at);
      return;
    }
    const { name } = resource;
    const now = more(at, name, texts.length);
    await part.addText(`${name}/${numbered(now.files)}.ndjson`, `${texts.join('\n')}\n`);
    at.after_id = lastId;
    at.records += texts.length;
  }

  private async addFiles(part: ArchivePart, at: Progress, most: number): Promise<void> {
    const found = await this.attachments.behind(at.after_id, FILES_AT_ONCE);
    if (found.length === 0) endStep(at);
    for (const { id, filename, size, sha256, storage_key: key } of found) {
      if (part.taken >= most) return;
      const content = await this.files.open(key).catch((error: unknown) => {
        if (error instanceof FileGone) return null;
        throw error;
      });
      if (content) {
        await part.addFile(`${FILES}/${id}/${filename}`, size, sha256, content);
        more(at, FILES, 0);
      } else lose(at);
      at.after_id = id;
    }
  }
}

/** What a manifest tells of. */
export interface Manifested {
  completed_at: string;
  contents: Row<Export>['contents'];
  parts: readonly Pick<StoredPart, 'checksums_sha256'>[];
}

/** The list of checksums in a part. @param number of the part, from 1 */
export function checksumsName(number: number): string {
  return `checksums/${numbered(number)}.sha256`;
}

const NOTHING: Contents = { files: 0, records: 0 };

function more(at: Progress, name: string, records: number): Contents {
  const before = at.contents[name] ?? NOTHING;
  const now = { ...before, files: before.files + 1, records: before.records + records };
  at.contents = { ...at.contents, [name]: now };
  return now;
}

function lose(at: Progress): void {
  const before = at.contents[FILES] ?? NOTHING;
  at.contents = { ...at.contents, [FILES]: { ...before, lost: (before.lost ?? 0) + 1 } };
}

function endStep(at: Progress): void {
  at.place++;
  at.after_id = 0;
}

function numbered(number: number): string {
  return String(number).padStart(6, '0');
}
