import { request, type Server } from 'node:http';
import type { Api, Fields } from './api';
import type { TestApp } from './app';
import { until } from './until';

/** A part of a form: a file where it has a file name. */
export interface SentPart {
  name: string;
  filename?: string;
  type?: string;
  content: string | Buffer;
}

/** A form as browsers send it: media type and bytes. */
export function formOf(parts: readonly SentPart[], boundary = 'x-boundary'): { type: string; body: Buffer } {
  const sent = parts.flatMap(({ name, filename, type, content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
    Buffer.from(type === undefined ? '' : `\r\nContent-Type: ${type}`),
    Buffer.from('\r\n\r\n'),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...sent, Buffer.from(`--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

/** A request whose body is sent bit by bit. */
export interface Sending {
  /** Sends some more; resolves when the system has taken it. */
  write(bytes: string | Buffer): Promise<void>;
  end(): void;
  /** Hangs up. */
  hangUp(): void;
  /** Resolves with the answer, however much of the body was sent by then. */
  answer: Promise<{ status: number; body: Record<string, never>; text: string }>;
  /** Whether the server has asked for the body (`Expect: 100-continue`). */
  readonly isAskedFor: boolean;
}

/** Begins a POST to `path` (below /v1) whose length nobody knows. */
export function sending(url: string, path: string, headers: Record<string, string>): Sending {
  const outgoing = request(`${url}/v1${path}`, { method: 'POST', headers });
  let isAskedFor = false;
  outgoing.on('continue', () => (isAskedFor = true));
  outgoing.flushHeaders();
  const answer = new Promise<Awaited<Sending['answer']>>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Record<string, never>, text });
        outgoing.destroy();
      });
    });
  });
  // Who hangs up does not look at it.
  answer.catch(() => undefined);
  return {
    write: (bytes) => new Promise((resolve) => outgoing.write(bytes, () => resolve())),
    end: () => void outgoing.end(),
    hangUp: () => void outgoing.destroy(),
    answer,
    get isAskedFor() {
      return isAskedFor;
    },
  };
}

/** Hangs up, and waits until the server has noticed. */
export async function hungUp({ app }: Pick<TestApp, 'app'>, upload: Sending): Promise<void> {
  const http: Server = app.getHttpServer();
  const connections = (): Promise<number> =>
    new Promise((resolve) => http.getConnections((_error, count) => resolve(count)));
  const before = await connections();
  upload.hangUp();
  await until('the server has noticed', async () => (await connections()) < before);
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads a file as it is, and answers its record. */
export async function uploaded(
  api: Api,
  content: string | Buffer,
  name = 'file.txt',
  type = 'text/plain',
): Promise<Fields> {
  const headers = {
    'content-type': type,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  };
  // An empty body is none; an empty file is part of a form.
  const form = formOf([{ name: 'file', filename: name, type, content: '' }]);
  return (
    content.length === 0
      ? await api.post('/attachments', form.body, { 'content-type': form.type })
      : await api.post('/attachments', Buffer.from(content), headers)
  ).expect(201).data;
}
