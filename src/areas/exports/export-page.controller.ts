import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Link, OpenedByLink } from '../../platform/auth/link.guard';
import { callingAs } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { ServesFiles } from '../../platform/http/download/serves-files';
import type { StreamResult } from '../../platform/http/results';
import type { LinkTarget } from '../../platform/secrets/public-links';
import { EXPORT_PAGE, ExportDownloads } from './export-downloads';

const VISITOR = { type: 'requester', id: null, name: 'requester' } as const;

/** Archives behind signed links. */
@OpenedByLink(EXPORT_PAGE, ['exports.read'])
@ApiExcludeController()
@Controller('p/exports')
export class ExportPageController {
  constructor(
    private readonly downloads: ExportDownloads,
    private readonly database: Database,
  ) {}

  @Get(':token')
  @ServesFiles('The archive.', 'application/gzip')
  download(@Link() { workspaceId, id }: LinkTarget, @Req() request: FastifyRequest): Promise<StreamResult> {
    return this.database.inWorkspace(workspaceId, callingAs(VISITOR), () => this.downloads.answer(id, request));
  }
}
