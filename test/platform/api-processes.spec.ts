import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiProcesses, type ApiProcessError } from '../../src/cluster/api-processes';
import { Restarts } from '../../src/cluster/restarts';
import { isAlive } from '../../src/embedded/processes';
import { until } from '../support/until';

describe('when a process is replaced', () => {
  const MINUTE = 60_000;

  it('is at once after a steady life, and later the more often it ends', () => {
    const restarts = new Restarts();
    expect([MINUTE, MINUTE].map((ms) => restarts.pauseAfter(ms))).toEqual([0, 0]);
    expect([1, 1, null, 1, null, 1, 1].map((ms) => restarts.pauseAfter(ms))).toEqual([
      250, 1_000, 2_000, 5_000, 10_000, 10_000, 10_000,
    ]);
    expect(restarts.pauseAfter(MINUTE)).toBe(0);
  });

  it('is never after six starts in a row that came to nothing', () => {
    const restarts = new Restarts();
    const failed = [null, null, null, null, null, null];
    expect(failed.map((ms) => restarts.pauseAfter(ms))).toEqual([0, 250, 1_000, 2_000, 5_000, null]);
  });
});

/** What the processes of this file run: says that it answers, unless it is broken, and leaves its pid. */
const PROGRAM = `
  const { existsSync, writeFileSync } = require('node:fs');
  process.on('message', ({ order, assignment, madeNow }) => {
    if (order === 'end') process.exit(0);
    if (existsSync(__dirname + '/broken' + assignment.worker)) process.exit(3);
    writeFileSync(__dirname + '/pid' + assignment.worker, String(process.pid));
    process.send({ report: 'answers', url: [assignment.worker, assignment.port, madeNow].join(' ') });
  });
  process.send({ report: 'hears' });
`;

describe('processes behind one port', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helpdesk-test-cluster-'));
  const program = join(folder, 'program.cjs');
  const services = { databaseUrl: 'd', migrateDatabaseUrl: 'm', redisUrl: 'r', port: 80 };
  const said: string[] = [];
  const gaveUp: string[] = [];
  const breakStarts = (worker: number): void => writeFileSync(join(folder, `broken${worker}`), '');
  const pidOf = (worker: number): number => Number(readFileSync(join(folder, `pid${worker}`), 'utf8'));
  let processes: ApiProcesses;

  beforeAll(() => {
    writeFileSync(program, PROGRAM);
  });

  beforeEach(() => {
    said.length = gaveUp.length = 0;
    const give = ({ message }: ApiProcessError): number => gaveUp.push(message);
    processes = new ApiProcesses(program, 2, (line) => said.push(line), give, [0, 0, 0]);
  });

  afterEach(async () => {
    await processes.end();
    for (const worker of [1, 2]) rmSync(join(folder, `broken${worker}`), { force: true });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('end in order, and are then not replaced', async () => {
    expect(await processes.start(services, 7)).toBe('1 80 7');
    const pids = [1, 2].map(pidOf);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await processes.end();
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect([said, gaveUp]).toEqual([[], []]);
  });

  it('are replaced, until one of them no longer starts', async () => {
    await processes.start(services, null);
    const [first, second] = [pidOf(1), pidOf(2)];
    process.kill(first, 'SIGKILL');
    await until('it is replaced', () => said.length === 1 && pidOf(1) !== first);
    breakStarts(2);
    process.kill(second, 'SIGTERM');
    await until('it is given up', () => gaveUp.length > 0);
    expect(said.map((line) => line.replace(/pid \d+/, 'pid'))).toEqual([
      'API process 1 (pid) ended unexpectedly (SIGKILL); starting another.',
      'API process 2 (pid) ended unexpectedly (SIGTERM); starting another.',
      'API process 2 (pid) ended unexpectedly (code 3); starting another.',
      'API process 2 (pid) ended unexpectedly (code 3); starting another.',
    ]);
    expect(said.slice(0, 2).map((line) => Number(/pid (\d+)/.exec(line)?.[1]))).toEqual([first, second]);
    expect(gaveUp).toEqual([
      expect.stringMatching(
        /^API process 2 \(pid \d+\) ended unexpectedly \(code 3\), again and again before it answered\. /,
      ),
    ]);
    expect(isAlive(pidOf(1))).toBe(true);
  });

  it('do not start where the first one does not', async () => {
    breakStarts(1);
    await expect(processes.start(services, null)).rejects.toThrow(
      'API process 1 ended (code 3) before it answered; what it said before tells why.',
    );
    expect(said).toEqual([]);
  });
});
