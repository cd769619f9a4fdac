import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { clockMs } from '../../platform/context/clock';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { fail } from '../../platform/errors/api-error';
import { FileGone } from '../../platform/files/file-store';
import { downloadAnswer } from '../../platform/http/download/stored-file';
import type { StreamResult } from '../../platform/http/results';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { PublicLinks } from '../../platform/secrets/public-links';
import { ArchiveParts } from './archive/archive-parts';
import type { ExportLink } from './export.dto';
import { Export } from './export.entity';

/** Page of the links that open archives: `/p/exports/{token}`. */
export const EXPORT_PAGE = 'exports';
const LINK_MS = 86_400_000;

/** Hands out archives that are complete, in one go or bit by bit. */
@Injectable()
export class ExportDownloads {
  constructor(
    @InjectStore(Export) private readonly exports: Store<Export>,
    private readonly database: Database,
    private readonly parts: ArchiveParts,
    private readonly links: PublicLinks,
  ) {}

  /** An address that opens the archive for a day, without a token. */
  async linkTo(id: number): Promise<ExportLink> {
    await this.database.transaction(() => this.finished(id));
    const expiresAt = new Date(Math.floor((clockMs() + LINK_MS) / 1_000) * 1_000);
    const target = { workspaceId: currentWorkspaceId(), id, expiresAt };
    return { url: this.links.url(EXPORT_PAGE, target), expires_at: expiresAt.toISOString() };
  }

  /** @throws ApiError 404, 409 for one that is no archive yet, or none any more */
  async answer(id: number, request: FastifyRequest): Promise<StreamResult> {
    const { bytes, completed_at, parts } = await this.database.transaction(async () => ({
      ...(await this.finished(id)),
      parts: await this.parts.of(id),
    }));
    const made = completed_at ?? '';
    try {
      return await downloadAnswer(
        {
          type: 'application/gzip',
          inline: false,
          filename: `export-${id}-${made.slice(0, 10)}.tar.gz`,
          size: bytes,
          etag: `"${id}-${bytes}-${Date.parse(made).toString(36)}"`,
          open: (range) => this.parts.open(parts, range),
        },
        request,
      );
    } catch (error) {
      if (error instanceof FileGone) fail('not_found', 'The archive is lost; make another export.');
      throw error;
    }
  }

  private async finished(id: number): Promise<Row<Export>> {
    const row = (await this.exports.find(id)) ?? this.exports.missing(id);
    const isOver = row.expires_at !== null && Date.parse(row.expires_at) <= clockMs();
    if (row.status !== 'completed' || isOver) fail('conflict', `This export is ${isOver ? 'expired' : row.status}.`);
    return row;
  }
}
