import { Controller, Module, Post } from '@nestjs/common';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { IncomingMessage } from 'node:http';
import { Throttle } from '@nestjs/throttler';
import { createHash } from 'node:crypto';
import { Meter } from '../../src/platform/http/upload/meter';
import { Upload, Uploaded } from '../../src/platform/http/upload/upload';
import { UploadBody } from '../../src/platform/http/upload/upload-body';
import { rulesOf } from '../../src/platform/http/upload/upload-options';
import { useOwnApp } from '../support/app';
import { until } from '../support/until';
import { formOf, type SentPart, sending } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const LIMIT = 300_000;
const CSV = { 'content-type': 'text/csv' };

/** What the handlers saw: bytes of the file that is open, and how each of them ended. */
const seen = { bytes: 0, ends: [] as string[] };

@Controller('uploads')
class UploadsController {
  @Post()
  @Upload({ maxBytes: LIMIT, types: ['multipart/form-data', 'text/csv'], maxFiles: 2, maxFields: 2, maxFieldBytes: 50 })
  async whole(@Uploaded() body: UploadBody): Promise<object[]> {
    const found: object[] = [];
    seen.bytes = 0;
    try {
      for await (const part of body) {
        if (part.kind === 'field') {
          found.push(part);
          continue;
        }
        const { stream, ...told } = part;
        const hash = createHash('sha256');
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          seen.bytes += chunk.length;
          hash.update(chunk);
        }
        found.push({ ...told, sha: hash.digest('hex') });
      }
      seen.ends.push('well');
      return found;
    } catch (error) {
      seen.ends.push((error as Error).message);
      throw error;
    }
  }

  /** Reads no file, or a bit of it. */
  @Post('names')
  @Upload({ maxBytes: LIMIT, types: ['multipart/form-data', 'image/*'], maxFiles: 5 })
  async names(@Uploaded() body: UploadBody): Promise<string[]> {
    const names: string[] = [];
    for await (const part of body) {
      names.push(part.name);
      if (part.kind === 'file' && part.name === 'torn') for await (const _ of part.stream) break;
    }
    return names;
  }

  @Post('first')
  @Upload({ maxBytes: LIMIT, types: ['multipart/form-data'], maxFiles: 5 })
  async first(@Uploaded() body: UploadBody): Promise<string | undefined> {
    for await (const part of body) return part.name;
    return undefined;
  }

  @Post('soon')
  @Upload({ maxBytes: LIMIT, types: ['text/csv'], withinSeconds: 1 })
  soon(@Uploaded() body: UploadBody): Promise<object[]> {
    return this.whole(body);
  }

  @Post('seldom')
  @Throttle({ default: { limit: 1, ttl: 3_600_000 } })
  @Upload({ maxBytes: LIMIT, types: ['text/csv'] })
  seldom(@Uploaded() body: UploadBody): Promise<object[]> {
    return this.whole(body);
  }
}

@Module({ controllers: [UploadsController] })
class UploadsModule {}

const server = useOwnApp({}, { modules: [UploadsModule] });
const sha = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const file = (name: string, content: string | Buffer): SentPart => ({ name, filename: `${name}.bin`, content });
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const begin = (path: string, headers: Record<string, string>, token: string | null = workspace.token) =>
  sending(server.url, path, { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers });

const post = (path: string, parts: readonly SentPart[], headers: Record<string, string> = {}, boundary?: string) => {
  const { type, body } = formOf(parts, boundary);
  return workspace.api.post(path, body, { 'content-type': type, ...headers });
};

describe('an upload', () => {
  it('of a form is read part by part, in the order of the form', async () => {
    const [big, text] = [Buffer.alloc(200_000, 'x'), '\r\n--x-boundar\r\n'];
    const answer = await post('/uploads', [
      { name: 'note', content: 'grüße' },
      { ...file('first', big), type: 'image/png' },
      file('second', text),
      { name: 'last', content: '' },
    ]);
    expect(answer.expect(201).data).toEqual([
      { kind: 'field', name: 'note', value: 'grüße' },
      { kind: 'file', name: 'first', filename: 'first.bin', type: 'image/png', sha: sha(big) },
      { kind: 'file', name: 'second', filename: 'second.bin', type: expect.any(String), sha: sha(text) },
      { kind: 'field', name: 'last', value: '' },
    ]);
  });

  it('of a file as it is comes while it is being sent', async () => {
    const upload = begin('/uploads', CSV);
    await upload.write('a'.repeat(1_000));
    await until('the handler has what was sent so far', () => seen.bytes === 1_000);
    await upload.write('b'.repeat(1_000));
    await until('the handler has more', () => seen.bytes === 2_000);
    upload.end();
    const { status, body } = await upload.answer;
    expect([status, body.data]).toEqual([
      201,
      [{ kind: 'file', name: '', filename: null, type: 'text/csv', sha: sha('a'.repeat(1_000) + 'b'.repeat(1_000)) }],
    ]);
  });

  it('need not be read by the handler, and the connection goes on', async () => {
    const parts = [file('torn', Buffer.alloc(150_000)), file('left', Buffer.alloc(100_000)), file('third', 'x')];
    expect((await post('/uploads/names', parts)).expect(201).data).toEqual(['torn', 'left', 'third']);
    expect((await post('/uploads/first', parts)).expect(201).data).toBe('torn');
    const image = { 'content-type': 'image/svg+xml' };
    expect((await workspace.api.post('/uploads/names', '<svg/>', image)).expect(201).data).toEqual(['']);
  });
});

describe('before a byte of the body is read', () => {
  const awaiting = { ...CSV, expect: '100-continue' };

  it.each([
    ['401 to nobody', () => begin('/uploads', awaiting, null), 401],
    ['403 to who may only read', () => begin('/uploads', awaiting, workspace.readToken), 403],
    ['413 to a length that is too much', () => begin('/uploads', { ...awaiting, 'content-length': '300001' }), 413],
    ['415 to a wrong type', () => begin('/uploads', { ...awaiting, 'content-type': 'text/plain' }), 415],
    ['415 to an encoding', () => begin('/uploads', { ...awaiting, 'content-encoding': 'gzip' }), 415],
    ['422 to an unknown parameter', () => begin('/uploads?zzz=1', awaiting), 422],
  ])('it answers %s', async (_, open, status) => {
    const upload = open();
    expect((await upload.answer).status).toBe(status);
    expect(upload.isAskedFor).toBe(false);
  });

  it('it answers 429 to one too many', async () => {
    const first = begin('/uploads/seldom', awaiting);
    await until('the body is asked for', () => first.isAskedFor);
    first.end();
    expect((await first.answer).status).toBe(201);
    const second = begin('/uploads/seldom', awaiting);
    expect((await second.answer).status).toBe(429);
    expect(second.isAskedFor).toBe(false);
  });

  it('other routes ask for theirs at once', async () => {
    const plain = begin('/tickets', { 'content-type': 'application/json', expect: '100-continue' }, null);
    await until('the body is asked for', () => plain.isAskedFor);
    plain.end();
    expect((await plain.answer).status).toBe(401);
  });

  it('it answers who does not wait, too', async () => {
    const upload = begin('/uploads', CSV, null);
    await upload.write('a'.repeat(1_000));
    expect((await upload.answer).status).toBe(401);
  });

  it('it answers 422 where there is none', async () => {
    expect((await workspace.api.post('/uploads')).expect(422).codes).toEqual({ body: 'required' });
  });
});

describe('an upload that goes too far', () => {
  it('is refused while it comes', async () => {
    const upload = begin('/uploads', CSV);
    await upload.write('a'.repeat(LIMIT + 1));
    const { status, body } = await upload.answer;
    expect([status, body.error]).toMatchObject([413, { type: 'payload_too_large' }]);
  });

  it('gets its answer, too, when it wants the connection to be closed', async () => {
    const upload = begin('/uploads', { ...CSV, connection: 'close' }, null);
    const sent = (async () => {
      for (let count = 0; count < 20; count++) await upload.write(Buffer.alloc(100_000));
    })();
    expect((await upload.answer).status).toBe(401);
    await sent;
  });

  it.each([
    ['files', [file('a', 'x'), file('b', 'x'), file('c', 'x')], 'more than 2 files'],
    ['fields', ['a', 'b', 'c'].map((name) => ({ name, content: 'x' })), 'more than 2 fields'],
    ['in a field', [{ name: 'note', content: 'x'.repeat(51) }], '"note" has more than 50 bytes'],
  ])('in its %s is refused', async (_, parts, message) => {
    expect((await post('/uploads', parts)).expect(413).error.message).toContain(message);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that ends too soon',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nx',
    ],
    ['that is none', 'multipart/form-data; boundary=b', 'x'.repeat(1_000)],
    ['with NUL in a field', ...Object.values(formOf([{ name: 'note', content: 'a\0b' }]))],
  ])('a form %s is refused', async (_, type, body) => {
    (await workspace.api.post('/uploads', body, { 'content-type': String(type) })).expect(422);
  });

  it('in time is refused', async () => {
    const upload = begin('/uploads/soon', CSV);
    await upload.write('a');
    expect((await upload.answer).body.error).toMatchObject({ type: 'request_timeout', status: 408 });
  });

  it('in silence is refused, unless it is the reader who is slow', async () => {
    const [reading, waiting] = [meterOf(50), meterOf(100)];
    while (reading.write(Buffer.alloc(10_000)));
    await expect(finished(waiting.resume())).rejects.toMatchObject({ type: 'request_timeout' });
    expect(reading.errored).toBeNull();
    reading.destroy();
  });

  it('by its sender being gone before anybody reads is refused', async () => {
    const meter = meterOf(10_000, (request) => request.destroy());
    await expect(finished(meter.resume())).rejects.toMatchObject({ type: 'validation_error' });
  });

  function meterOf(silenceMs: number, before: (request: IncomingMessage) => unknown = () => null): Meter {
    const request = Object.assign(new PassThrough(), { complete: false }) as unknown as IncomingMessage;
    before(request);
    return new Meter(request, rulesOf({ maxBytes: 1e6, types: [] }), silenceMs);
  }
});

it('an upload whose sender is gone ends as an error for the handler', async () => {
  Object.assign(seen, { bytes: 0, ends: [] });
  const raw = begin('/uploads', CSV);
  await raw.write('a'.repeat(1_000));
  await until('the handler reads', () => seen.bytes === 1_000);
  raw.hangUp();
  await until('the handler has ended', () => seen.ends.length === 1);
  const { type, body } = formOf([file('a', Buffer.alloc(1_000))]);
  seen.bytes = 0;
  const form = begin('/uploads', { 'content-type': type });
  await form.write(body.subarray(0, 600));
  await until('the handler reads', () => seen.bytes > 0 && seen.bytes < 1_000);
  form.hangUp();
  await until('the handler has ended', () => seen.ends.length === 2);
  expect(seen.ends).toEqual(Array(2).fill('The body ended before it was complete.'));
});

describe('an upload with a key', () => {
  it('is done once, whatever separates its parts', async () => {
    const parts = [{ name: 'note', content: 'x' }, file('a', Buffer.alloc(100_000, 'a'))];
    const key = { 'idempotency-key': 'upload-1' };
    const first = (await post('/uploads', parts, key)).expect(201);
    const second = (await post('/uploads', parts, key, 'another-boundary')).expect(201);
    expect([first.header('idempotent-replayed'), second.header('idempotent-replayed')]).toEqual([null, 'true']);
    expect(second.text).toBe(first.text);
  });

  it.each(['/uploads', '/uploads/names', '/uploads/first'])('is another one with other content (%s)', async (path) => {
    const key = { 'idempotency-key': `upload-2 ${path}`.replace(' ', '-') };
    const parts = [file('a', Buffer.alloc(100_000, 'a')), file('b', 'b')];
    (await post(path, parts, key)).expect(201);
    expect((await post(path, parts, key)).expect(201).header('idempotent-replayed')).toBe('true');
    const other = await post(path, [file('a', Buffer.alloc(100_000, 'a')), file('b', 'c')], key);
    expect(other.expect(422).codes).toEqual({ 'Idempotency-Key': 'idempotency_key_reuse' });
  });
});
