import sharp from 'sharp';

/** Twice the largest size that it is shown in, for screens with fine pixels. */
const BOX = { width: 480, height: 160 } as const;
/** Pixels of a picture that is made smaller; one that claims more is not read any further. */
const MAX_PIXELS = 25_000_000;
/** Bytes of what comes of it: it goes along with every mail. */
const MAX_BYTES = 100_000;
const MAX_SECONDS = 10;

/** A logo as it is kept. */
export interface DrawnLogo {
  content: Uint8Array;
  width: number;
  height: number;
}

/** The picture drawn anew as PNG, with nothing else of what its file says; null where it is none that can be read, or too large a one. */
export async function drawLogo({ content }: { content: Uint8Array }): Promise<DrawnLogo | null> {
  sharp.cache(false);
  sharp.concurrency(1);
  // Few colours where many would be too many bytes.
  for (const few of [{}, { palette: true, quality: 90 }, { palette: true, colours: 32 }]) {
    try {
      const { data, info } = await sharp(content, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
        .autoOrient()
        .resize({ ...BOX, fit: 'inside', withoutEnlargement: true })
        .png({ compressionLevel: 9, ...few })
        .timeout({ seconds: MAX_SECONDS })
        .toBuffer({ resolveWithObject: true });
      if (data.length <= MAX_BYTES) return { content: new Uint8Array(data), width: info.width, height: info.height };
    } catch {
      return null;
    }
  }
  return null;
}
