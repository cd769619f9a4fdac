import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScannerConfig } from '../../src/file-config';
import { startApp, type TestApp, testConfig } from '../support/app';
import { ClamdServer, VIRUS } from '../support/clamd';
import { freePort } from '../support/free-port';
import { until } from '../support/until';
import { uploaded } from '../support/uploads';
import { makeWorkspace } from '../support/workspace';

const clamd = new ClamdServer();
const folder = mkdtempSync(join(tmpdir(), 'helpdesk-scan-'));
const servers: TestApp[] = [];
let port: number;

async function serverWith(at: number, whenAway: ScannerConfig['whenAway']): Promise<TestApp> {
  const scanner = { address: { host: '127.0.0.1', port: at }, whenAway };
  const server = await startApp({ role: 'api', files: { ...testConfig().files, folder, scanner } });
  servers.push(server);
  return server;
}

beforeAll(async () => {
  port = await clamd.listen();
});

afterAll(async () => {
  for (const server of servers) await server.close();
  await clamd.close();
  rmSync(folder, { recursive: true, force: true });
});

it('looks into files while they arrive, and keeps none that is infected', async () => {
  const server = await serverWith(port, 'refuse');
  const { api, id } = await makeWorkspace(server);
  const content = Buffer.alloc(400_000, 'harmless ');
  expect(await uploaded(api, content)).toMatchObject({ scan: 'clean' });
  expect(clamd.files.at(-1)?.equals(content)).toBe(true);
  const infected = await api.post('/attachments', Buffer.from(`${'x'.repeat(100_000)}${VIRUS}`), {
    'content-type': 'text/plain',
  });
  expect(infected.expect(422).codes).toEqual({ file: 'infected' });
  expect(infected.error.message).toContain('Eicar-Test-Signature');
  clamd.says = 'INSTREAM size limit exceeded. ERROR';
  expect(
    (await api.post('/attachments', Buffer.from('x'), { 'content-type': 'text/plain' })).expect(422).codes,
  ).toEqual({ file: 'unscannable' });
  clamd.says = null;
  expect(await uploaded(api, '')).toMatchObject({ scan: 'clean', size: 0 });
  await until('two files are left', () => {
    const base = join(folder, String(id));
    return existsSync(base) && readdirSync(base).flatMap((part) => readdirSync(join(base, part))).length === 2;
  });
});

it('refuses files, or keeps them unscanned, while the scanner is away', async () => {
  const nobody = await freePort();
  const strict = await makeWorkspace(await serverWith(nobody, 'refuse'));
  const refused = await strict.api.post('/attachments', Buffer.alloc(300_000), { 'content-type': 'text/plain' });
  expect([refused.status, refused.header('retry-after')]).toEqual([503, '30']);
  expect((await strict.api.get('/attachments')).meta.total).toBe(0);
  const lenient = await makeWorkspace(await serverWith(nobody, 'accept'));
  expect(await uploaded(lenient.api, Buffer.alloc(300_000, 'x'))).toMatchObject({ scan: 'unscanned', size: 300_000 });
});
