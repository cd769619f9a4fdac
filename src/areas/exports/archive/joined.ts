import { Readable } from 'node:stream';
import type { ByteRange } from '../../../platform/files/file-store';

/** Bytes that can be opened. */
export interface Piece {
  bytes: number;
  open(range: ByteRange): Promise<Readable>;
}

/** Where a piece has something of a range: that of the whole, seen from the piece; empty pieces have nothing. */
export function rangesOf(pieces: readonly Piece[], { start, end }: ByteRange): { piece: Piece; range: ByteRange }[] {
  let from = 0;
  return pieces.flatMap((piece) => {
    const begins = from;
    from += piece.bytes;
    const range = { start: Math.max(0, start - begins), end: Math.min(end - begins, piece.bytes - 1) };
    return range.start > range.end ? [] : [{ piece, range }];
  });
}

/**
 * Pieces that follow each other as one stream, or a range of it; each is opened when the one before it is read.
 *
 * @throws whatever opening the first of them does, before anything was answered
 */
export async function joined(pieces: readonly Piece[], range?: ByteRange): Promise<Readable> {
  const whole = { start: 0, end: pieces.reduce((sum, { bytes }) => sum + bytes, 0) - 1 };
  const [first, ...rest] = rangesOf(pieces, range ?? whole);
  if (!first) return Readable.from([]);
  const opened = await first.piece.open(first.range);
  // Nobody may ever begin to read.
  opened.on('error', () => undefined);
  const content = async function* (): AsyncGenerator<Buffer> {
    yield* bytesOf(opened);
    for (const { piece, range: part } of rest) yield* bytesOf(await piece.open(part));
  };
  const stream = Readable.from(content(), { objectMode: false });
  stream.once('close', () => opened.destroy());
  return stream;
}

function bytesOf(stream: Readable): AsyncIterable<Buffer> {
  return stream;
}
