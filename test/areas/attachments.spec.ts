import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsOf } from '../support/event-log';
import { type TestApp, testConfig, useApp } from '../support/app';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { formOf, PIXEL, sending, uploaded } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const { folder } = testConfig().files;

/** Files in the store of a workspace, by key. */
function stored({ id }: TestWorkspace): string[] {
  const base = join(folder, String(id));
  if (!existsSync(base)) return [];
  return readdirSync(base).flatMap((part) => readdirSync(join(base, part)).map((name) => `${id}/${part}/${name}`));
}

/** The bytes of an answer, whatever its type. */
async function bytes({ url }: TestApp, { token }: { token: string }, path: string, headers = {}): Promise<Response> {
  return fetch(`${url}/v1${path}`, { headers: { authorization: `Bearer ${token}`, ...headers }, redirect: 'manual' });
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe('an upload', () => {
  it('is a form with a file, or the file itself, and what is stored is what was sent', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const form = formOf([
      { name: 'external_id', content: 'scan-7' },
      { name: 'file', filename: 'jäm.csv', type: 'text/csv', content: 'a,b\n1,2\n' },
    ]);
    const one = (await api.post('/attachments', form.body, { 'content-type': form.type })).expect(201);
    expect(one.data).toMatchObject({
      filename: 'jäm.csv',
      content_type: 'text/csv',
      declared_type: 'text/csv',
      size: 8,
      sha256: sha256('a,b\n1,2\n'),
      external_id: 'scan-7',
      scan: 'unscanned',
      ticket_id: null,
      url: `/v1/attachments/${one.data.id}/content`,
    });
    expect(one.data).not.toHaveProperty('storage_key');
    const two = await uploaded(api, Buffer.alloc(300_000, 'x'), 'ünï "code".txt');
    expect(two).toMatchObject({ filename: 'ünï "code".txt', size: 300_000, content_type: 'text/plain' });
    const [row] = await sql.rows<{ storage_key: string }>('SELECT storage_key FROM attachments WHERE id = $1', [
      two.id,
    ]);
    expect(readFileSync(join(folder, row?.storage_key ?? ''))).toEqual(Buffer.alloc(300_000, 'x'));
    expect(await eventsOf(server, workspace, 'attachment', two.id)).toMatchObject([{ type: 'attachment.created' }]);
    expect((await api.get('/attachments?attached=false&sort=-size&fields=id')).rows).toEqual([
      { id: two.id },
      { id: one.data.id },
    ]);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['..', 'unnamed'],
    ['', 'unnamed'],
    ['\u200B\u200D \u3164', 'unnamed'],
    ['\u202Egnp.exe', 'gnp.exe'],
    ['a\r\nX-Evil: 1.txt', 'aX-Evil: 1.txt'],
    [`${'x'.repeat(400)}.jpeg`, `${'x'.repeat(250)}.jpeg`],
  ])('called %j is harmless', async (told, filename) => {
    const { api } = await makeWorkspace(server);
    expect(await uploaded(api, 'x', told)).toMatchObject({ filename });
  });

  it('is what its bytes are, whatever its sender says', async () => {
    const { api } = await makeWorkspace(server);
    const told = async (content: string | Buffer, type: string): Promise<unknown> =>
      (await uploaded(api, content, 'f', type)).content_type;
    expect(await told(PIXEL, 'text/html')).toBe('image/png');
    expect(await told('<script>alert(1)</script>', 'image/png')).toBe('text/plain');
    expect(await told('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')).toBe('image/svg+xml');
    expect(await told('%PDF-1.7\n', 'image/png')).toBe('application/pdf');
    expect(await told(Buffer.from([0, 1, 2, 255, 254]), 'text/plain')).toBe('application/octet-stream');
    expect(await told('x', 'not a type')).toBe('text/plain');
  });

  it('of the same key answers the first record and leaves one file', async () => {
    const workspace = await makeWorkspace(server);
    const keyed = { 'idempotency-key': 'once', 'content-type': 'text/plain' };
    const first = (await workspace.api.post('/attachments', Buffer.from('same'), keyed)).expect(201);
    const again = (await workspace.api.post('/attachments', Buffer.from('same'), keyed)).expect(201);
    expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await workspace.api.post('/attachments', Buffer.from('other'), keyed)).expect(422).codes).toEqual({
      'Idempotency-Key': 'idempotency_key_reuse',
    });
    await until('what was not kept is gone', () => stored(workspace).length === 1);
    expect((await workspace.api.get('/attachments')).meta.total).toBe(1);
  });

  it('that is too large, cut off or no form is refused, and nothing of it is left', async () => {
    const workspace = await makeWorkspace(server);
    const { api, token } = workspace;
    const length = { 'content-type': 'text/plain', authorization: `Bearer ${token}` };
    const announced = sending(server.url, '/attachments', { ...length, 'content-length': String(27 * 1_048_576) });
    expect((await announced.answer).status).toBe(413);
    const endless = sending(server.url, '/attachments', length);
    const chunk = Buffer.alloc(1_048_576);
    for (let sent = 0; sent < 26; sent++) void endless.write(chunk);
    expect((await endless.answer).status).toBe(413);
    const gone = sending(server.url, '/attachments', length);
    await gone.write('some bytes');
    gone.hangUp();
    const form = formOf([{ name: 'file', filename: 'a.txt', content: 'x'.repeat(1000) }]);
    (await api.post('/attachments', form.body.subarray(0, 600), { 'content-type': form.type })).expect(422);
    expect(
      (
        await api.post('/attachments', formOf([{ name: 'x', content: 'y' }]).body, { 'content-type': form.type })
      ).expect(422).codes,
    ).toEqual({ x: 'unknown_field' });
    expect(
      (
        await api.post('/attachments', formOf([{ name: 'filename', content: 'y' }]).body, { 'content-type': form.type })
      ).expect(422).codes,
    ).toEqual({ file: 'required' });
    (await workspace.readApi.post('/attachments', Buffer.from('x'), { 'content-type': 'text/plain' })).expect(403);
    await until('nothing is left', () => stored(workspace).length === 0);
    expect((await api.get('/attachments')).meta.total).toBe(0);
  });
});

describe('a download', () => {
  it('is whole, or the part that is asked for', async () => {
    const workspace = await makeWorkspace(server);
    const content = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
    const { id, sha256: sum } = await uploaded(
      workspace.api,
      content,
      'naïve; filename="x".bin',
      'application/x-thing',
    );
    const path = `/attachments/${id}/content`;
    const whole = await bytes(server, workspace, path);
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(content)]).toEqual([200, true]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '1000',
      'content-disposition': expect.stringMatching(/^attachment; filename=".*"; filename\*=UTF-8''na%C3%AFve/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'accept-ranges': 'bytes',
      etag: `"${sum as string}"`,
    });
    const part = async (range: string, more = {}): Promise<unknown[]> => {
      const answer = await bytes(server, workspace, path, { range, ...more });
      const got = Buffer.from(await answer.arrayBuffer());
      return [answer.status, answer.headers.get('content-range'), got.length, got[0] ?? null];
    };
    expect(await part('bytes=0-0')).toEqual([206, 'bytes 0-0/1000', 1, 0]);
    expect(await part('bytes=990-')).toEqual([206, 'bytes 990-999/1000', 10, content[990]]);
    expect(await part('bytes=-5')).toEqual([206, 'bytes 995-999/1000', 5, content[995]]);
    expect(await part('bytes=10-5000')).toEqual([206, 'bytes 10-999/1000', 990, 10]);
    expect(await part('bytes=1000-')).toEqual([416, 'bytes */1000', 0, null]);
    expect(await part('bytes=5-2')).toEqual([200, null, 1000, 0]);
    expect(await part('bytes=0-1,3-4')).toEqual([200, null, 1000, 0]);
    expect(await part('bytes=0-9', { 'if-range': `"${sum as string}"` })).toEqual([206, 'bytes 0-9/1000', 10, 0]);
    expect(await part('bytes=0-9', { 'if-range': '"other"' })).toEqual([200, null, 1000, 0]);
    const known = await bytes(server, workspace, path, { 'if-none-match': `"${sum as string}"` });
    expect([known.status, await known.text()]).toEqual([304, '']);
    const head = await fetch(`${server.url}/v1${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${workspace.token}` },
    });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
  });

  it('of what could run is saved as bytes, and pictures alone are shown', async () => {
    const workspace = await makeWorkspace(server);
    const types = async (content: string | Buffer, type: string): Promise<(string | null)[]> => {
      const { id } = await uploaded(workspace.api, content, 'f', type);
      const { headers } = await bytes(server, workspace, `/attachments/${id}/content`, { 'accept-encoding': 'gzip' });
      return [
        headers.get('content-type'),
        headers.get('content-disposition')?.split(';')[0] ?? null,
        headers.get('content-encoding'),
      ];
    };
    const html = '<!doctype html><script>alert(1)</script>'.padEnd(5000);
    for (const active of ['text/html', 'image/svg+xml', 'application/xml', 'text/javascript', 'application/xhtml+xml'])
      expect([active, await types(html, active)]).toEqual([active, ['application/octet-stream', 'attachment', null]]);
    expect(await types(html, 'text/plain')).toEqual(['text/plain; charset=utf-8', 'attachment', null]);
    expect(await types(Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1'), 'x/y')).toEqual([
      'image/gif',
      'inline',
      null,
    ]);
    expect(await types('', 'text/plain')).toEqual(['text/plain; charset=utf-8', 'attachment', null]);
  });

  it('is nobody else’s', async () => {
    const [mine, other] = [await makeWorkspace(server), await makeWorkspace(server)];
    const { id } = await uploaded(mine.api, 'secret');
    for (const path of ['', '/content', '/thumbnail']) (await other.api.get(`/attachments/${id}${path}`)).expect(404);
    (await other.api.delete(`/attachments/${id}`)).expect(404);
    (await other.api.post('/tickets', { subject: 'x', attachment_ids: [id] })).expect(422);
  });
});
