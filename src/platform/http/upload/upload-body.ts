import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { fail } from '../../errors/api-error';
import { asRefusal, type FormPart, formParts } from './form-parts';
import { cutOff, Meter } from './meter';
import { FORM, type UploadRules } from './upload-options';

/** A file or a field of a body. A body that is one file is one part without a name. */
export type UploadPart = FormPart;

/** What of a request an upload consists of. */
export interface Arriving {
  request: IncomingMessage;
  response: ServerResponse;
  /** Media type without parameters. */
  type: string;
  /** The same as it was sent. */
  contentType: string;
  /** Whether the request has a key, and `digest` will be asked for. */
  isKeyed: boolean;
}

/**
 * A body that is read while it comes: `for await (const part of body)`, each part in the order in which it was sent. What a handler
 * leaves of a file is skipped. The loop ends well only when the whole body is there and sound; it fails with an ApiError when the
 * sender goes (422), stops (408) or sends too much (413). What is to be written wholly or not at all is therefore committed after it.
 */
export class UploadBody implements AsyncIterable<UploadPart> {
  private readonly hash = createHash('sha256');
  private parts: AsyncGenerator<UploadPart> | null = null;

  constructor(
    private readonly arriving: Arriving,
    private readonly rules: UploadRules,
  ) {}

  get type(): string {
    return this.arriving.type;
  }

  /** @throws ApiError 503 the second time, as in a unit of work that is tried again: the bytes are gone */
  [Symbol.asyncIterator](): AsyncIterator<UploadPart> {
    if (this.parts)
      fail('service_unavailable', 'The upload has to be sent again.', { headers: { 'Retry-After': '1' } });
    const parts = (this.parts = this.read());
    // Without `return`: the rest may still be asked for.
    return { next: () => parts.next() };
  }

  /**
   * SHA-256 of the names, types and contents of the parts, which is the same whatever separates them on the wire. Reads what was
   * left. Only for a request with a key.
   */
  async digest(): Promise<Buffer> {
    const parts = (this.parts ??= this.read());
    while (!(await parts.next()).done);
    return this.hash.copy().digest();
  }

  private async *read(): AsyncGenerator<UploadPart> {
    for await (const part of this.arrive()) {
      if (part.kind === 'field') {
        this.note([part.kind, part.name, part.value]);
        yield part;
        continue;
      }
      const { stream, ...told } = part;
      this.note(Object.values(told));
      let size = 0;
      const count = (chunk: Buffer): void => {
        size += chunk.length;
        this.hash.update(chunk);
      };
      if (this.arriving.isKeyed) stream.on('data', count);
      const out = handedOut(stream);
      yield { ...told, stream: out };
      out.resume();
      await finished(stream, { writable: false }).catch((error: unknown) => {
        throw asRefusal(error);
      });
      this.note([size]);
    }
  }

  /** Begins to read. */
  private arrive(): AsyncIterable<FormPart> | FormPart[] {
    const { request, response, type, contentType } = this.arriving;
    const meter = new Meter(request, this.rules);
    response.once('close', () => meter.destroy(cutOff()));
    if (awaitsContinue(request)) response.writeContinue();
    request.pipe(meter);
    return type === FORM
      ? formParts(meter, contentType, this.rules)
      : [{ kind: 'file', name: '', filename: null, type, stream: meter }];
  }

  /** Texts as JSON: no two sequences of parts read alike. */
  private note(told: readonly unknown[]): void {
    if (this.arriving.isKeyed) this.hash.update(JSON.stringify(told));
  }
}

/** Whether the sender keeps the body back until it is asked for. */
export function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1' && /\b100-continue\b/i.test(headers.expect);
}

/** The stream of a file as handlers get it: theirs to leave or to destroy, without the parts behind it being lost. */
function handedOut(file: Readable): Readable {
  const out = new PassThrough();
  file.on('error', (error) => out.destroy(asRefusal(error)));
  // Who is not reading just now hears of it when reading goes on.
  out.on('error', () => undefined);
  out.on('close', () => {
    if (!file.readableEnded) file.unpipe(out).resume();
  });
  return file.pipe(out);
}
