import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FileGone } from '../../src/platform/files/file-store';
import { FolderStore } from '../../src/platform/files/folder-store';
import { newKey } from '../../src/platform/files/keys';
import { S3Store } from '../../src/platform/files/s3-store';
import type { S3Config } from '../../src/file-config';
import { startApp, type TestApp, testConfig } from '../support/app';
import { type S3Server, startS3 } from '../support/s3-server';
import { until } from '../support/until';
import { uploaded } from '../support/uploads';
import { makeWorkspace } from '../support/workspace';

const folder = mkdtempSync(join(tmpdir(), 'helpdesk-store-'));
let s3: S3Server;
let config: S3Config;

beforeAll(async () => {
  s3 = await startS3(join(folder, 's3'));
  config = s3.config;
});

afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['a folder', () => new FolderStore(join(folder, 'files'))],
  ['an S3-compatible store', () => new S3Store(config)],
])('%s', (_name, make) => {
  it('keeps files whole, by parts and in order, until they are removed', async () => {
    const store = make();
    const large = Buffer.alloc(12 * 1_048_576, 'abcdefg');
    const keys = [newKey(7), newKey(7), newKey(70), newKey(8)].sort();
    for (const key of keys)
      await store.put(key, Readable.from([key === keys[0] ? large : Buffer.from(key)]), 'text/plain');
    expect((await buffer(await store.open(keys[0] ?? ''))).equals(large)).toBe(true);
    expect(await buffer(await store.open(keys[0] ?? '', { start: 7, end: 13 }))).toEqual(Buffer.from('abcdefg'));
    expect((await store.list(null, 100)).map(({ key }) => key)).toEqual(keys);
    expect((await store.list(keys[0] ?? '', 100)).map(({ key }) => key)).toEqual(keys.slice(1));
    expect((await store.list(keys[0] ?? '', 2)).map(({ key }) => key)).toEqual(keys.slice(1, 3));
    expect((await store.list(keys[2] ?? '', 2)).map(({ key }) => key)).toEqual(keys.slice(3));
    await store.remove([...keys.slice(1), newKey(9)]);
    expect((await store.list(null, 100)).map(({ key }) => key)).toEqual(keys.slice(0, 1));
    await expect(store.open(keys[1] ?? '')).rejects.toThrow(FileGone);
    await expect(store.open('../../etc/passwd')).rejects.toThrow('no key');
    await store.remove(keys);
  });

  it('keeps nothing of what breaks off', async () => {
    const store = make();
    const broken = Readable.from(
      (async function* () {
        for (let part = 0; part < 12; part++) yield await Promise.resolve(Buffer.alloc(1_048_576));
        throw new Error('gone');
      })(),
    );
    const key = newKey(7);
    await expect(store.put(key, broken, 'text/plain')).rejects.toThrow('gone');
    expect(await store.list(null, 100)).toEqual([]);
    if (!(store instanceof S3Store)) return;
    // The store is told to forget the parts, by the upload that they were of.
    const parts = s3.asked.filter((request) => request.startsWith('PUT') && request.includes(key));
    const [, upload = ''] = /(uploadId=[^&]+)/.exec(parts[0] ?? '') ?? [];
    const isGivenUp = (): boolean =>
      s3.asked.some((request) => request.startsWith('DELETE') && request.includes(key) && request.includes(upload));
    expect(upload).not.toBe('');
    await until('the upload was given up', isGivenUp);
  });
});

it.each([
  ['a folder', (place: string) => new FolderStore(join(folder, 'places', place))],
  ['an S3-compatible store', (place: string) => new S3Store(config, place)],
])('keeps archives in %s beside files, which see nothing of them', async (_name, make) => {
  const [files, archives] = [make(''), make('archives')];
  const [file, archive] = [newKey(7), newKey(3)];
  await files.put(file, Readable.from([Buffer.from('file')]), 'text/plain');
  await archives.put(archive, Readable.from([Buffer.from('archive')]), 'application/gzip');
  expect((await files.list(null, 100)).map(({ key }) => key)).toEqual([file]);
  expect((await archives.list(null, 100)).map(({ key }) => key)).toEqual([archive]);
  expect(await archives.list(archive, 100)).toEqual([]);
  expect((await buffer(await archives.open(archive))).toString()).toBe('archive');
  await files.remove([file, archive]);
  expect((await archives.list(null, 100)).map(({ key }) => key)).toEqual([archive]);
  await archives.remove([archive]);
  expect(await archives.list(null, 100)).toEqual([]);
});

it('serves files of a store that is somewhere else, itself or by leading there', async () => {
  const servers: TestApp[] = [];
  for (const redirects of [false, true])
    servers.push(await startApp({ role: 'api', files: { ...testConfig().files, s3: { ...config, redirects } } }));
  const [passing, leading] = servers;
  if (!passing || !leading) throw new Error('There are two.');
  const { api, token } = await makeWorkspace(passing);
  const file = await uploaded(api, 'from afar', 'ä.txt');
  const headers = { authorization: `Bearer ${token}` };
  const path = `/v1/attachments/${file.id}/content`;
  const part = await fetch(`${passing.url}${path}`, { headers: { ...headers, range: 'bytes=5-' } });
  expect([part.status, await part.text()]).toEqual([206, 'afar']);
  const led = await fetch(`${leading.url}${path}`, { headers, redirect: 'manual' });
  expect(led.status).toBe(302);
  const there = await fetch(led.headers.get('location') ?? '');
  expect([there.status, await there.text()]).toEqual([200, 'from afar']);
  expect(there.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%A4.txt");
  for (const server of servers) await server.close();
});
