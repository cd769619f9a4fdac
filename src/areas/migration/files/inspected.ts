import { createHash, type Hash } from 'node:crypto';
import { fail } from '../../../platform/errors/api-error';
import type { CountBytes } from './inbox-room';

/** Bytes of a file after it was unpacked. */
export const MAX_FILE_BYTES = 8 * 1_024 ** 3;
/** The same of a workbook, as it is sent. */
export const MAX_WORKBOOK_BYTES = 512 * 1_024 ** 2;
const HEAD = 256 * 1_024;

/** What a file turned out to be while it passed by. */
export class Inspection {
  bytes = 0;
  encoding: 'utf-8' | 'utf-16' | 'windows-1252' = 'utf-8';
  private readonly hash: Hash = createHash('sha256');
  private readonly strict = new TextDecoder('utf-8', { fatal: true });
  private heads: Buffer[] = [];
  private headBytes = 0;

  /** @param count hears of its bytes as they come */
  constructor(
    private readonly count: CountBytes,
    private readonly maxBytes = MAX_FILE_BYTES,
  ) {}

  /** The bytes as they are kept: UTF-8, or one byte a character where it is no UTF-8. */
  async *through(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let wide: TextDecoder | null = null;
    for await (const chunk of source) {
      if (this.bytes === 0 && (startsWith(chunk, 0xff, 0xfe) || startsWith(chunk, 0xfe, 0xff))) {
        wide = new TextDecoder(chunk[0] === 0xff ? 'utf-16le' : 'utf-16be');
        this.encoding = 'utf-16';
      }
      const kept = wide ? Buffer.from(wide.decode(chunk, { stream: true })) : chunk;
      this.note(kept);
      yield kept;
    }
    if (this.encoding === 'utf-8') this.decode(undefined);
  }

  /** The bytes of what is no text. */
  async *asIs(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.take(chunk);
      yield chunk;
    }
  }

  /** The first bytes of it. */
  get head(): Buffer {
    return Buffer.concat(this.heads);
  }

  get sha256(): string {
    return this.hash.copy().digest('hex');
  }

  private note(chunk: Buffer): void {
    this.take(chunk);
    if (this.headBytes < HEAD) {
      this.heads.push(Buffer.from(chunk.subarray(0, HEAD - this.headBytes)));
      this.headBytes += chunk.length;
    }
    if (this.encoding === 'utf-8') this.decode(chunk);
  }

  private take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes)
      fail('payload_too_large', `The file has more than ${this.maxBytes / 1_024 ** 2} MB.`);
    this.count(chunk.length);
    this.hash.update(chunk);
  }

  private decode(chunk: Buffer | undefined): void {
    try {
      this.strict.decode(chunk, { stream: chunk !== undefined });
    } catch {
      this.encoding = 'windows-1252';
    }
  }
}

function startsWith(chunk: Buffer, first: number, second: number): boolean {
  return chunk[0] === first && chunk[1] === second;
}
