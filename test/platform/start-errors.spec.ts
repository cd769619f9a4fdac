import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareFileFolder } from '../../src/embedded/data-dir';
import { checkPort } from '../../src/embedded/ports';
import { startServices } from '../../src/embedded/services';
import { StartError } from '../../src/embedded/start-error';
import { testServices } from '../support/services';

describe('what keeps the program from starting is one sentence', () => {
  const { databaseUrl, redisUrl } = testServices();
  const address = new URL(databaseUrl).host;

  it.each([
    [
      'a wrong password',
      databaseUrl.replace(/:[^:@]+@/, ':wrong@'),
      `PostgreSQL at ${address} refuses user "helpdesk_service"; `,
    ],
    [
      'a missing database',
      databaseUrl.replace(/\/[^/]+$/, '/nowhere'),
      `PostgreSQL at ${address} has no database "nowhere"; `,
    ],
    ['a server that is not there', 'postgresql://a:b@127.0.0.1:1/c', 'No PostgreSQL answers at 127.0.0.1:1; '],
  ])('%s in DATABASE_URL', async (_case, url, sentence) => {
    const failure = await failureOf({ dataDir: tmpdir(), databaseUrl: url, redisUrl });
    expect(failure.message.startsWith(sentence)).toBe(true);
    expect(failure.message).toMatch(/DATABASE_URL.*\.$/);
  });

  it.each([
    ['a wrong password', redisUrl.replace(/:[^:@]+@/, ':wrong@'), 'refuses the password; '],
    [
      'an unknown host',
      'redis://no-such-host.invalid:6379',
      'The host no-such-host.invalid:6379 of REDIS_URL is unknown',
    ],
  ])('%s in REDIS_URL', async (_case, url, part) => {
    const failure = await failureOf({ dataDir: tmpdir(), databaseUrl, redisUrl: url });
    expect(failure.message).toContain(part);
    expect(failure.message).toMatch(/REDIS_URL.*\.$/);
  });

  it('but not a Redis that is away: the service does without it', async () => {
    const said: string[] = [];
    const config = { dataDir: tmpdir(), databaseUrl, redisUrl: 'redis://127.0.0.1:1' };
    const services = await startServices(config, (line) => said.push(line));
    await services.stop();
    expect(said).toEqual([expect.stringMatching(/^No Redis answers at 127\.0\.0\.1:1 .*REDIS_URL/)]);
  });

  it('a data directory that cannot be made', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'helpdesk-test-file-')), 'file');
    writeFileSync(file, '');
    const failure = await failureOf({ dataDir: join(file, 'data'), databaseUrl: null, redisUrl: null });
    expect(failure.message).toMatch(/^The data directory .* because a file is in its place; set DATA_DIR to /);
    const itself = await failureOf({ dataDir: file, databaseUrl: null, redisUrl: null });
    expect(itself.message).toMatch(/^The data directory .* because a file is in its place; set DATA_DIR to /);
    rmSync(join(file, '..'), { recursive: true });
  });

  it('a data directory where there can be none: it is said and not tried for ever', async () => {
    for (const dataDir of ['/proc/helpdesk', '/proc/helpdesk/deeper', '/sys/helpdesk']) {
      const failure = await failureOf({ dataDir, databaseUrl: null, redisUrl: null });
      expect(failure.message).toMatch(/^The data directory .* cannot be .*set DATA_DIR to a directory of your own\.$/);
    }
  });

  it('a folder of files that cannot be written', () => {
    expect(() => prepareFileFolder('/proc/helpdesk')).toThrow(
      /^The folder of files \/proc\/helpdesk cannot be .*set ATTACHMENT_FOLDER to a directory of your own\.$/,
    );
  });

  it('a port in use', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await expect(checkPort('127.0.0.1', port)).rejects.toThrow(
      new StartError(
        `Port ${port} of 127.0.0.1 is already in use; stop the other program or set PORT to another number.`,
      ),
    );
    server.close();
    await once(server, 'close');
    await expect(checkPort('127.0.0.1', port)).resolves.toBe(port);
  });

  it('a host that is not this machine', async () => {
    await expect(checkPort('192.0.2.1', 3000)).rejects.toThrow(
      /^HOST is 192\.0\.2\.1, which is no address of this machine; /,
    );
  });
});

async function failureOf(config: Parameters<typeof startServices>[0]): Promise<StartError> {
  const failure = await startServices(config, () => undefined).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartError);
  return failure as StartError;
}
