import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { ApiError } from '../../../platform/errors/api-error';
import { type Scan, ScannerAway, Unscannable } from '../../../platform/files/scanner';
import { HEAD_BYTES } from './content-type';

/**
 * Looks at a file while it passes: how long it is, its SHA-256, its beginning, and what the virus scanner says. It ends only when all
 * of that speaks for keeping it; otherwise it fails with an ApiError, and with it whoever stores the file.
 */
export class Inspector extends Transform {
  bytes = 0;
  scan: 'clean' | 'unscanned' = 'unscanned';
  private readonly hash = createHash('sha256');
  private readonly beginning: Buffer[] = [];
  private kept = 0;

  /** @param maxBytes of the file; more is 413 */
  constructor(
    private readonly scanning: Scan,
    private readonly maxBytes: number,
  ) {
    super();
    this.once('close', () => scanning.abandon());
  }

  /** The first bytes, as far as they have passed. */
  get head(): Buffer {
    return Buffer.concat(this.beginning);
  }

  /** Hexadecimal; when the file has passed. */
  sha256(): string {
    return this.hash.copy().digest('hex');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) {
      done(tooLarge(this.maxBytes));
      return;
    }
    this.hash.update(chunk);
    if (this.kept < HEAD_BYTES) {
      // A copy: a part of a chunk would keep the whole of it.
      const part = Buffer.from(chunk.subarray(0, HEAD_BYTES - this.kept));
      this.beginning.push(part);
      this.kept += part.length;
    }
    this.scanning.write(chunk).then(() => done(null, chunk), done);
  }

  override _flush(done: TransformCallback): void {
    this.scanning.end().then(
      (finding) => {
        if (finding.verdict === 'infected') done(infected(finding.name));
        else {
          this.scan = finding.verdict;
          done();
        }
      },
      (error: unknown) => done(refusalOf(error)),
    );
  }
}

/** What the sender is told of a scan that came to nothing. */
function refusalOf(error: unknown): Error {
  if (error instanceof ScannerAway) return away();
  if (error instanceof Unscannable)
    return refused('unscannable', 'The virus scanner cannot look into this file; it was not kept.');
  return error instanceof Error ? error : new Error('The scan of a file failed.');
}

/** @param limit in bytes */
export function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', `A file has at most ${limit / 1_048_576} MB.`);
}

function infected(name: string): ApiError {
  return refused('infected', `The virus scanner found ${name} in the file; it was not kept.`);
}

function refused(code: string, message: string): ApiError {
  return new ApiError('validation_error', message, { details: [{ field: 'file', code, message }] });
}

function away(): ApiError {
  return new ApiError('service_unavailable', 'The virus scanner cannot look into the file at the moment; try again.', {
    headers: { 'Retry-After': '30' },
  });
}
