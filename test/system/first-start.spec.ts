import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { projectRoot } from '../../src/config';
import { isAlive } from '../../src/embedded/processes';
import { prettyOutput } from '../../src/platform/http/log-output';
import { createLogger } from '../../src/platform/http/logger';
import { Api } from '../support/api';
import { removeWhileUsed } from '../support/folders';
import { CURL, ensureTool } from '../support/machine-tools';
import { examples, Reader } from '../support/readme';
import { mismatch } from '../support/readme-answer';
import { StartedServer } from '../support/started-server';
import { until } from '../support/until';

describe('the first start', () => {
  const server = new StartedServer({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' });
  const reader = new Reader(server);
  let pids: number[];

  beforeAll(async () => {
    ensureTool(CURL);
    await server.start();
    const first = (file: string): number => Number(readFileSync(join(server.dataDir, file), 'utf8').split('\n')[0]);
    pids = [first('postgres/data/postmaster.pid'), first('redis/data/redis.pid')];
  });

  afterAll(async () => {
    reader.end();
    await server.remove();
  });

  it('says in one line what was migrated, and where everything is', () => {
    expect(server.output.match(/migrat/gi)).toHaveLength(1);
    expect(server.output).toMatch(/^\d+ migrations applied \(\d+\.\d s\)\.$/m);
    expect(server.output).toMatch(/^ {2}Token +hdd_\w{38} /m);
  });

  it('logs JSON when it is piped', async () => {
    await fetch(`${server.url}/v1/health`);
    await until('the line is there', () => server.output.includes('"path":"/v1/health"'));
  });

  it('is said by a second one, with the place of the token, and exit code 0', () => {
    const env = { ...server.environment, PORT: '1' };
    const second = spawnSync(process.execPath, [join(projectRoot, 'scripts/run.mjs'), 'start'], {
      env,
      encoding: 'utf8',
    });
    expect(second.stderr).toBe('');
    expect(second.stdout).toBe(
      `helpdesk-api is already running at ${server.url} (process ${/process (\d+)/.exec(second.stdout)?.[1] ?? ''}).\n` +
        `The token is in ${join(server.dataDir, 'demo-token')}.\n` +
        'For a second one beside it set DATA_DIR and PORT to others.\n',
    );
    expect(second.status).toBe(0);
  });

  it('leaves a demo desk in good health, also when nobody works at it for days', async () => {
    const token = readFileSync(join(server.dataDir, 'demo-token'), 'utf8').trim();
    const api = new Api(server.url, token);
    const { sla, csat, tickets } = (await api.get('/stats')).expect(200).data as unknown as Figures;
    expect(sla.compliance_pct).toBeGreaterThan(85);
    expect(sla.compliance_pct).toBeLessThan(98);
    expect(csat.responses).toBeGreaterThan(10);
    expect(csat.score_pct).toBeGreaterThan(75);
    // Not those of today, which may have begun a moment ago.
    const recent = await api.get(`/tickets?created_after=${new Date(Date.now() - 86_400_000).toISOString()}`);
    expect(recent.expect(200).meta.total).toBeGreaterThan(0);
    // Every clock that still runs will be missed when nobody comes back.
    const { met, breached } = Object.values(sla.by_metric).reduce((sum, one) => ({
      met: sum.met + one.met,
      breached: sum.breached + one.breached,
    }));
    const { open, in_progress: begun } = tickets.by_status;
    expect((100 * met) / (met + breached + (open ?? 0) + (begun ?? 0))).toBeGreaterThan(80);
  });

  describe('does what the README says:', () => {
    it.each(examples)('$name', async ({ text, answer }) => {
      const printed = await reader.does(text);
      if (answer !== null) expect(mismatch(reader.here(answer), printed, reader.here(text))).toBeNull();
    });

    it('what the listener prints: a signature and the beginning of a body', async () => {
      await until('something arrives', () => /^[0-9a-f]{64} \{.*"ticket\.created"/m.test(reader.heard));
    });
  });

  it('notices that its data directory is deleted, and ends without leaving a process behind', async () => {
    await removeWhileUsed(server.dataDir);
    await until('health says so', async () => {
      const health = (await (await fetch(`${server.url}/v1/health`)).json()) as { status: string; reasons: string[] };
      return health.status === 'degraded' && health.reasons[0] === `The data directory ${server.dataDir} is gone.`;
    });
    expect(pids.map(isAlive)).toContain(true);
    await server.end();
    await until('PostgreSQL and Redis are gone', () => pids.every((pid) => !isAlive(pid)));
  });
});

interface Figures {
  tickets: { by_status: Record<string, number> };
  sla: { compliance_pct: number; by_metric: Record<string, { met: number; breached: number }> };
  csat: { responses: number; score_pct: number };
}

describe('the log for people', () => {
  it('is one short line for each thing, coloured only where that is wanted', () => {
    const lines = (colour: boolean): string[] => {
      const stream = new PassThrough();
      const log = createLogger('info', prettyOutput(colour, stream));
      log.info({
        request_id: 'req_1',
        method: 'GET',
        path: '/v1/tickets',
        status: 200,
        ms: 3.1,
        workspace_id: 1,
        token_id: 1,
      });
      log.warn({ context: 'HealthService' }, 'Redis does not answer.');
      return String(stream.read()).trimEnd().split('\n');
    };
    expect(lines(false)).toEqual([
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\]\s*:? GET {4}200 {5}3\.1 ms {2}\/v1\/tickets$/),
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\] WARN: HealthService: Redis does not answer\.$/),
    ]);
    expect(lines(true)[0]).toContain('\u001b[32m200');
  });
});
