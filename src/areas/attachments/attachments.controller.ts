import { Body, Controller, Get, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Needs } from '../../platform/auth/permission';
import { AnswerOf } from '../../platform/http/answer-members';
import { ServesFiles } from '../../platform/http/download/serves-files';
import { Id } from '../../platform/http/id';
import { location } from '../../platform/http/openapi-components';
import type { ListResult, SingleResult, StreamResult } from '../../platform/http/results';
import { Upload } from '../../platform/http/upload/upload';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
import { InjectReader } from '../../platform/resource/store.module';
import { CreateRoute, DeleteRoute, IfMatch, ListQuery, ListRoute, ReadRoute } from '../../platform/routes/routes';
import { AttachmentLink, NewAttachmentLink } from './attachment.dto';
import { Attachment } from './attachment.entity';
import { attachmentResource } from './attachment.resource';
import { AttachmentsService } from './attachments.service';
import { AttachmentContent } from './content/attachment-content';
import type { Receipt } from './intake/receipt';
import { ReceivedFile, Receiving } from './intake/receiving';
import { FORM_BYTES } from './intake/upload-reader';
import { ThumbnailQuery } from './thumbnails/thumbnail.dto';
import { Thumbnails } from './thumbnails/thumbnails';

/** The most that `ATTACHMENT_MAX_MB` can say, and the form around it. */
const MAX_BODY = 2_047 * 1_048_576 + FORM_BYTES;
const WITHIN_SECONDS = 900;

@ApiTags('Attachments')
@Controller('attachments')
export class AttachmentsController {
  constructor(
    @InjectReader(Attachment) private readonly records: Reader<Attachment>,
    private readonly attachments: AttachmentsService,
    private readonly contents: AttachmentContent,
    private readonly thumbnails: Thumbnails,
  ) {}

  @ListRoute(attachmentResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(attachmentResource, {
    summary: 'Upload a file',
    description:
      'A form with one file, or the file itself with its name in `Content-Disposition`. It belongs to no record until one names ' +
      'it in `attachment_ids`, and is deleted when none has after 24 hours. 413 for a file beyond the limit (25 MB unless the ' +
      'installation says otherwise), 422 `quota` where the workspace is full, 422 `infected` for what a virus scanner refuses. With ' +
      'an `Idempotency-Key` a repeat answers the first record and keeps no second file.',
  })
  @ApiHeader({
    name: 'Content-Disposition',
    required: false,
    description: 'Name of a file that is the whole body.',
    schema: { type: 'string', example: "attachment; filename*=UTF-8''jam.jpg" },
  })
  @Upload({
    maxBytes: MAX_BODY,
    withinSeconds: WITHIN_SECONDS,
    types: ['multipart/form-data', '*/*'],
    maxFields: 2,
    maxFieldBytes: 2_048,
    form: {
      file: { type: 'string', format: 'binary' },
      filename: { type: 'string', maxLength: 255, description: 'In place of that of the file.' },
      external_id: { type: 'string', minLength: 1, maxLength: 255 },
    },
  })
  @UseGuards(Receiving)
  create(@ReceivedFile() receipt: Receipt): Promise<SingleResult> {
    return this.attachments.create(receipt);
  }

  @ReadRoute(attachmentResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @DeleteRoute(attachmentResource, { description: 'The record that it hangs on forgets it. Answers its last state.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.attachments.remove(id, expected);
  }

  @Get(':id/content')
  @ApiOperation({
    summary: 'Download a file',
    description:
      'The bytes, or those that `Range` names. Pictures may be shown; everything else says of itself that it is to be saved. Where ' +
      'files are in an S3-compatible store, it may be a redirect (302) to an address that is good for a minute.',
  })
  @ApiHeader({ name: 'Range', required: false, schema: { type: 'string' }, description: '`bytes=0-1023`' })
  @ApiHeader({ name: 'If-Range', required: false, schema: { type: 'string' }, description: 'ETag of the file.' })
  @ServesFiles('The content.')
  @ApiResponse({ status: 302, description: 'Where the store has it.', headers: location })
  async content(@Id() id: number, @Req() request: FastifyRequest): Promise<StreamResult> {
    return this.contents.answer(await this.attachments.row(id), request);
  }

  @Get(':id/thumbnail')
  @ApiOperation({
    summary: 'Get a smaller picture of a picture',
    description: 'As WebP. 404 for what is no picture (PNG, JPEG, GIF, WebP, AVIF), 422 for one that cannot be drawn.',
  })
  @ServesFiles('The smaller picture.', 'image/webp')
  async thumbnail(
    @Id() id: number,
    @Query() { size = 'medium' }: ThumbnailQuery,
    @Req() request: FastifyRequest,
  ): Promise<StreamResult> {
    return this.thumbnails.answer(await this.attachments.row(id), size, request);
  }

  @Needs('attachments.link')
  @Post(':id/link')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a link to a file',
    description:
      'For customers without a token. It opens nothing but this file, and only while its record is for customers.',
  })
  @AnswerOf(AttachmentLink, { description: 'The link.' })
  async link(
    @Id() id: number,
    @Body() body: NewAttachmentLink,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<AttachmentLink> {
    await this.records.require(id, expected);
    return this.attachments.link(id, body);
  }
}
