import { Injectable } from '@nestjs/common';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { fail, invalid } from '../../../platform/errors/api-error';
import { FileGone, FileStore } from '../../../platform/files/file-store';
import { keyBeside } from '../../../platform/files/keys';
import { downloadAnswer } from '../../../platform/http/download/stored-file';
import type { StreamResult } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/rows';
import { threadTask } from '../../../platform/workers/thread-task';
import { Workers } from '../../../platform/workers/workers.service';
import type { Attachment } from '../attachment.entity';
import { IMAGES } from '../content/served-type';
import type { thumbnail } from './thumbnail';

/** Longest sides that there are, in pixels. */
export const SIDES = { small: 128, medium: 320, large: 800 } as const;
export type Side = keyof typeof SIDES;

/** Bytes of a picture that is drawn smaller; it is in memory as a whole for that. */
const MAX_BYTES = 32 * 1_048_576;

const draw = threadTask<typeof thumbnail>('pictures', join(__dirname, 'thumbnail'), 'thumbnail');

/** The key of a file, and those of what was made of it. */
export function keysOf(key: string): string[] {
  return [key, ...Object.keys(SIDES).map((side) => thumbnailKey(key, side))];
}

function thumbnailKey(key: string, side: string): string {
  return keyBeside(key, `${side}.webp`);
}

/** Smaller pictures of pictures: drawn when first asked for, in a few threads, and kept beside the file. */
@Injectable()
export class Thumbnails {
  constructor(
    private readonly files: FileStore,
    private readonly workers: Workers,
  ) {}

  /** @throws ApiError 404 where there is nothing to draw, 422 for a picture that cannot be drawn, 503 when too much is drawn already */
  async answer(file: Row<Attachment>, side: Side, request: FastifyRequest): Promise<StreamResult> {
    if (!IMAGES.includes(file.content_type)) fail('not_found', 'This file is no picture.');
    const key = thumbnailKey(file.storage_key, side);
    const content = (await this.kept(key)) ?? (await this.drawn(file, side, key));
    return downloadAnswer(
      {
        type: 'image/webp',
        inline: true,
        filename: `${file.filename}.webp`,
        size: content.length,
        etag: `"${file.sha256}-${side}"`,
        open: (part) =>
          Promise.resolve(Readable.from([content.subarray(part?.start ?? 0, (part?.end ?? Infinity) + 1)])),
      },
      request,
    );
  }

  private async kept(key: string): Promise<Buffer | null> {
    return this.content(key).catch((error: unknown) => {
      if (error instanceof FileGone) return null;
      throw error;
    });
  }

  private async drawn({ storage_key, size }: Row<Attachment>, side: Side, key: string): Promise<Buffer> {
    if (size > MAX_BYTES) return refuse();
    const content = await this.content(storage_key).catch((error: unknown) => {
      if (error instanceof FileGone) fail('not_found', 'The content of this file is lost.');
      throw error;
    });
    const made = await this.workers.run(draw, { content, side: SIDES[side] });
    if (!made) return refuse();
    const small = Buffer.from(made);
    await this.files.put(key, Readable.from([small]), 'image/webp');
    return small;
  }

  private async content(key: string): Promise<Buffer> {
    return buffer(await this.files.open(key));
  }
}

function refuse(): never {
  return invalid(
    'id',
    'unreadable',
    'This picture cannot be drawn smaller: it is damaged, or has more than 50 million pixels.',
  );
}
