import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { makePlan, makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const directory = mkdtempSync(join(tmpdir(), 'helpdesk-import-'));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const ROWS = 20;
const text = [
  'document,topic_group',
  ...Array.from({ length: ROWS }, (_, row) => `printer number ${row} is ${'very '.repeat(30)}jammed,Group ${row % 3}`),
].join('\n');

interface Run {
  code: number;
  out: string;
  error: string;
}

function example(...words: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/example.mjs', ...words], (error, out, complaint) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, error: complaint });
    });
  });
}

function write(name: string, content: string | Buffer): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  return file;
}

const importInto = ({ token }: TestWorkspace, file: string, ...words: string[]): Promise<Run> =>
  example('import', file, '--url', `${server.url}/v1`, '--token', token, ...words);

describe('npm run example -- import', () => {
  it('creates a ticket per row in the category of its group', async () => {
    const workspace = await makeWorkspace(server);
    const run = await importInto(workspace, write('tickets.csv', text));
    expect(run.out).toContain(`${ROWS} tickets created, 0 were already there`);
    expect(run.code).toBe(0);
    const tickets = (await workspace.api.get('/tickets?sort=id&per_page=100&expand=category')).expect(200);
    expect(tickets.meta.total).toBe(ROWS);
    for (const ticket of tickets.rows) {
      const number = Number(/^printer number (\d+) is very/.exec(ticket.description as string)?.[1]);
      expect(ticket).toMatchObject({
        category: { name: `Group ${number % 3}` },
        tags: `group-${number % 3}`,
        subject: expect.stringMatching(/^(?=.{60,81}$)printer number \d+ is (very )+very…$/),
        requester_email: expect.stringMatching(/^user\d{3}@example\.com$/),
      });
    }
  });

  it('creates nothing twice, goes on where it stopped, and reads gzipped files', async () => {
    const workspace = await makeWorkspace(server);
    const file = write('more.csv.gz', gzipSync(text));
    expect((await importInto(workspace, file, '--limit', '7')).out).toContain(
      '7 tickets created, 0 were already there',
    );
    expect((await importInto(workspace, file)).out).toContain(`${ROWS - 7} tickets created, 7 were already there`);
    expect((await importInto(workspace, file)).out).toContain(`0 tickets created, ${ROWS} were already there`);
    expect((await workspace.api.get('/tickets')).expect(200).meta.total).toBe(ROWS);
  });

  it('recognises its tickets when the keys are forgotten after their day', async () => {
    const workspace = await makeWorkspace(server);
    const file = write('old.csv', text);
    await importInto(workspace, file);
    const database = server.app.get(Database);
    await database.system(() => database.query('DELETE FROM idempotency_keys WHERE workspace_id = $1', [workspace.id]));
    expect((await importInto(workspace, file)).out).toContain(`0 tickets created, ${ROWS} were already there`);
    expect((await workspace.api.get('/tickets')).expect(200).meta.total).toBe(ROWS);
  });

  it('stops at a quota that is used up, and says so', async () => {
    const plan = await makePlan(server, { monthlyQuota: 12 });
    const workspace = await makeWorkspace(server, { plan });
    const run = await importInto(workspace, write('quota.csv', text));
    expect(run.code).toBe(1);
    expect(run.error).toMatch(/quota.*Try again in \d+ seconds\.\n$/is);
  });

  it.each([
    ['a file that is not there', 'nowhere.csv', null, /^There is no file .*nowhere\.csv\.\n$/],
    ['a file without the columns', 'other.csv', 'a,b\n1,2\n', /^other\.csv has no column "document" and "topic_group"/],
    ['a file that is not gzipped', 'broken.csv.gz', 'document,topic_group\n', /^broken\.csv\.gz cannot be read/],
    ['a file that is not CSV', 'torn.csv', 'document,topic_group\n"open,Access\n', /^torn\.csv cannot be read/],
  ])('refuses %s in one sentence', async (_what, name, content, sentence) => {
    if (content !== null) write(name, content);
    const run = await example('import', join(directory, name), '--url', `${server.url}/v1`, '--token', 'x');
    expect(run.code).toBe(1);
    expect(run.error).toMatch(sentence);
    expect(run.error.trim().split('\n')).toHaveLength(1);
  });

  it('says what to do when the server is not there or does not know the token', async () => {
    const file = write('fine.csv', text);
    const away = await example('import', file, '--url', 'http://127.0.0.1:9/v1', '--token', 'x');
    expect(away).toMatchObject({ code: 1, out: '' });
    expect(away.error).toContain('start it with "npm start"');
    const unknown = await example('import', file, '--url', `${server.url}/v1`, '--token', 'x');
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.error).toContain('does not know this token');
  });

  it('shows how it is used when the file is left out', async () => {
    const run = await example('import');
    expect(run.code).toBe(1);
    expect(run.error).toContain('Usage: example import [options] <file>');
  });
});
