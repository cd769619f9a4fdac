import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

/** Most of what files hold is small already; the rest is text, of which a little effort takes most. */
const LEVEL = 1;

/**
 * A part of a `.tar.gz`: some files of it, as a member of gzip of its own, so that an archive grows by parts and none is ever written
 * again (RFC 1952 lets members follow each other). It is read while it is written: neither gets far ahead.
 */
export class ArchivePart {
  /** Bytes that came out so far. */
  bytes = 0;
  /** Bytes of the files that were put in so far. */
  taken = 0;
  private readonly archive = pack();
  private readonly sums: string[] = [];

  /** @param at what the archive says of when its files were changed */
  constructor(private readonly at: Date) {}

  /** What is to be stored; it ends, or fails, as the writing does. Called once, before anything is put in. */
  content(): Readable {
    const compressed = createGzip({ level: LEVEL });
    pipeline(Readable.from(this.archive), compressed, () => undefined);
    const content = Readable.from(this.counted(compressed), { objectMode: false });
    // Also when it is given up before anybody began to read.
    content.once('close', () => compressed.destroy());
    return content;
  }

  async addText(name: string, text: string): Promise<void> {
    const content = Buffer.from(text);
    this.note(name, content.length, createHash('sha256').update(content).digest('hex'));
    await new Promise<void>((resolve, reject) => {
      this.archive.entry({ name, mtime: this.at, mode: 0o600 }, content, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  /**
   * Puts a file in piece by piece.
   *
   * @param size bytes that the source has; with more or fewer the whole part fails
   * @param sha256 what the list of checksums says of it
   */
  async addFile(name: string, size: number, sha256: string, source: Readable): Promise<void> {
    this.note(name, size, sha256);
    try {
      await new Promise<void>((resolve, reject) => {
        const told = (error?: Error | null): void => (error ? reject(error) : resolve());
        const sink = this.archive.entry({ name, size, mtime: this.at, mode: 0o600 }, told);
        pipeline(source, sink, (error) => {
          if (error) reject(error);
        });
      });
    } finally {
      source.destroy();
    }
  }

  /** Puts the list of checksums in, as `sha256sum -c` reads it. @returns the SHA-256 of the list */
  async addChecksums(name: string): Promise<string> {
    const list = this.sums.map((line) => `${line}\n`).join('');
    await this.addText(name, list);
    return createHash('sha256').update(list).digest('hex');
  }

  /** Nothing more is put in. @param last the archive ends with this part */
  end(last: boolean): void {
    if (last) this.archive.finalize();
    else this.archive.push(null);
  }

  /** It will not be finished; whoever stores it fails likewise. */
  abandon(error: unknown): void {
    this.archive.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  private note(name: string, size: number, sha256: string): void {
    this.taken += size;
    this.sums.push(`${sha256}  ${name}`);
  }

  private async *counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }
}
