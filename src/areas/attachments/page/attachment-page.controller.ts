import { Controller, Get, Query, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Link, OpenedByLink } from '../../../platform/auth/link.guard';
import { ServesFiles } from '../../../platform/http/download/serves-files';
import type { StreamResult } from '../../../platform/http/results';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { ATTACHMENT_PAGE } from '../attachment-address';
import { ThumbnailQuery } from '../thumbnails/thumbnail.dto';
import { AttachmentPageService } from './attachment-page.service';

/** Files behind signed links, for customers. */
@OpenedByLink(ATTACHMENT_PAGE, ['attachments.read'])
@ApiExcludeController()
@Controller('p/attachments')
export class AttachmentPageController {
  constructor(private readonly pages: AttachmentPageService) {}

  @Get(':token')
  @ServesFiles('The content.')
  content(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<StreamResult> {
    return this.pages.content(target, request);
  }

  @Get(':token/thumbnail')
  @ServesFiles('The smaller picture.', 'image/webp')
  thumbnail(
    @Link() target: LinkTarget,
    @Query() { size = 'medium' }: ThumbnailQuery,
    @Req() request: FastifyRequest,
  ): Promise<StreamResult> {
    return this.pages.thumbnail(target, size, request);
  }
}
