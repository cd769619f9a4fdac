import sharp from 'sharp';

/** Pixels of a picture that is drawn smaller; one that claims more is not read any further. */
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 10;

/** What a thread makes a thumbnail of. */
export interface ThumbnailInput {
  /** The picture as it is stored. */
  content: Uint8Array;
  /** Longest side, in pixels. */
  side: number;
}

/** A smaller picture, as WebP; null where the content is no picture that can be read, or too large a one. */
export async function thumbnail({ content, side }: ThumbnailInput): Promise<Uint8Array | null> {
  sharp.cache(false);
  sharp.concurrency(1);
  try {
    // Of a picture that moves the first frame; turned as the camera was held; what else it tells of place and time is left out.
    const small = await sharp(content, {
      limitInputPixels: MAX_PIXELS,
      failOn: 'error',
      sequentialRead: true,
      pages: 1,
    })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: MAX_SECONDS })
      .toBuffer();
    return new Uint8Array(small);
  } catch {
    return null;
  }
}
