import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { MigrationClient } from '../../src/cli/migration-client';
import { Api } from '../support/api';
import { useApp } from '../support/app';
import { helpdesk, json, tokenFor, workspace } from '../support/command';
import { useServiceServer } from '../support/old-desks/fake-service';
import { zendeskServer } from '../support/old-desks/zendesk-server';

Logger.overrideLogger(false);

const server = useApp();

it('brings files in, once somebody has looked and said so, and takes them back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-cli-migration-'));
  const file = join(folder, 'tickets.csv');
  writeFileSync(file, 'id,title,queue\n1,Jam,Printers\n2,Login,Accounts\n');
  const { slug } = await workspace('--plan', 'enterprise');
  const { token } = await tokenFor(slug);
  const api = new Api(server.url, token);
  const at = ['--workspace', slug, '--url', server.url];
  const run = ['migration', 'run', ...at, '--create-missing', 'categories', '--file', `tickets=${file}`];
  expect(await json('migration', 'run', ...at, '--file', `tickets=${file}`)).toMatchObject({ status: 'invalid' });
  expect(await json(...run)).toMatchObject({ status: 'ready', mapping: { tickets: { fields: { title: 'subject' } } } });
  expect((await api.get('/tickets')).meta.total).toBe(0);
  const done = await json<{ id: number }>(...run, '--yes');
  expect(done).toMatchObject({ status: 'completed', progress: { created: 2 } });
  expect((await api.get('/tickets?external_id=2&expand=category')).rows).toMatchObject([
    { category: { name: 'Accounts' } },
  ]);
  expect(await json('migration', 'list', ...at)).toHaveLength(3);
  expect((await helpdesk('migration', 'pause', String(done.id), ...at)).error).toContain('The job is completed');
  expect(await json('migration', 'rollback', String(done.id), ...at)).toMatchObject({ status: 'rolled_back' });
  expect((await api.get('/tickets')).meta.total).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

it('asks seldomer where it is told to, and says so where that takes more than a minute', async () => {
  const told = ['0', '0', null, '61'];
  const busy = createServer((_request, response) => {
    const pause = told.shift() ?? null;
    if (pause === null) response.end(JSON.stringify({ data: [] }));
    else response.writeHead(429, { 'retry-after': pause }).end(JSON.stringify({ error: { message: 'Too many.' } }));
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const client = new MigrationClient(`http://127.0.0.1:${(busy.address() as AddressInfo).port}`, 'token');
  expect(await client.list()).toEqual([]);
  await expect(client.list()).rejects.toThrow('Too many.');
  expect(told).toEqual([]);
  busy.closeAllConnections();
  busy.close();
});

it('says what keeps it from it, and makes no migration of that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-cli-migration-'));
  const file = join(folder, 'connection.json');
  writeFileSync(file, '{"api_token": hunter2');
  const page = createServer((_request, response) => response.end('<html>'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const { slug } = await workspace('--plan', 'enterprise');
  const { token } = await tokenFor(slug);
  const said = async (...words: string[]): Promise<string | null> =>
    (await helpdesk('migration', ...words, '--workspace', slug)).error;
  const here = ['--url', server.url];
  expect(await said('list', '--url', 'nonsense')).toContain('Write an address such as https://');
  expect(await said('list', '--url', 'http://127.0.0.1:1/')).toMatch(
    /^No service answers at http:\/\/127\.0\.0\.1:1 \(/,
  );
  expect(await said('list', '--url', elsewhere)).toBe(
    `What answers at ${elsewhere} is no helpdesk: it says 200 and no JSON.`,
  );
  expect(await said('run', ...here, '--file', 'tickets=/nowhere.csv')).toMatch(
    /^The file \/nowhere\.csv cannot be read/,
  );
  expect(await said('run', ...here, '--file', `tickets=${folder}`)).toBe(`${folder} is a folder; name a file.`);
  const service = ['run', ...here, '--source', 'zendesk', '--connection'];
  expect(await said(...service, '/nowhere.json')).toMatch(/^The file \/nowhere\.json cannot be read/);
  expect(await said(...service, file)).toMatch(/^The connection is a JSON object, such as/);
  expect((await new Api(server.url, token).get('/migration/jobs')).meta.total).toBe(0);
  page.closeAllConnections();
  page.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a service', () => {
  const old = useServiceServer();

  it('is read with a connection from a file, once it lets us in, and brought up to date by another run', async () => {
    old.become(zendeskServer);
    const folder = mkdtempSync(join(tmpdir(), 'helpdesk-cli-migration-'));
    const file = join(folder, 'connection.json');
    const wrong = { ...zendeskServer.connection(old.base), api_token: 'wrong' };
    const { slug } = await workspace('--plan', 'enterprise');
    const { token } = await tokenFor(slug);
    const api = new Api(server.url, token);
    const run = ['migration', 'run', '--workspace', slug, '--url', server.url, '--source', 'zendesk'];
    expect((await helpdesk(...run)).error).toContain('--connection FILE');
    writeFileSync(file, JSON.stringify(wrong));
    expect((await helpdesk(...run, '--connection', file)).error).toContain('401');
    writeFileSync(file, JSON.stringify(zendeskServer.connection(old.base)));
    expect(await json(...run, '--connection', file)).toMatchObject({ status: 'ready' });
    expect((await api.get('/tickets')).meta.total).toBe(0);
    const done = await json(...run, '--connection', file, '--yes');
    expect(done).toMatchObject({ status: 'completed', progress: { created: 18 } });
    Object.assign(old.desk.tickets[0] ?? {}, { subject: 'Changed', updated_at: '2030-01-01T00:00:00Z' });
    const later = await json(
      ...run,
      '--connection',
      file,
      '--on-duplicate',
      'update',
      '--entities',
      'tickets',
      '--yes',
    );
    expect(later).toMatchObject({ status: 'completed', progress: { updated: 1, created: 0 } });
    rmSync(folder, { recursive: true, force: true });
  });
});
