import { createLogger, NestLog, plainLog } from '../../src/platform/http/logger';

function logTo(lines: Record<string, unknown>[]): ReturnType<typeof createLogger> {
  return createLogger('info', { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
}

describe('the log', () => {
  it('replaces secrets wherever they usually are', () => {
    const lines: Record<string, unknown>[] = [];
    logTo(lines).info({
      token: 'hdd_secret',
      headers: { authorization: 'Bearer hdd_secret', cookie: 'hdd_secret', accept: '*/*' },
      endpoint: { secret: 'hdd_secret', url: 'https://x' },
      user: { password: 'hdd_secret' },
    });
    expect(JSON.stringify(lines)).not.toContain('hdd_secret');
    expect(lines[0]).toMatchObject({ level: 'info', headers: { accept: '*/*' }, endpoint: { url: 'https://x' } });
  });

  it('stamps lines with ISO 8601 times', () => {
    const lines: Record<string, unknown>[] = [];
    plainLog(logTo(lines)).info({ status: 200 });
    const { time } = lines[0] ?? {};
    expect(new Date(String(time)).toISOString()).toBe(time);
  });

  it('takes the messages of Nest, errors with their stack', () => {
    const lines: Record<string, unknown>[] = [];
    const nest = new NestLog(logTo(lines));
    nest.log('Mapped {/v1/me, GET} route', 'RouterExplorer');
    nest.warn('A connection was lost', 'PostgreSQL');
    nest.error('It broke', 'Error: It broke\n    at x', 'Jobs');
    nest.error(new Error('thrown'), 'Jobs');
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'A connection was lost', context: 'PostgreSQL' },
      { level: 'error', msg: 'It broke', context: 'Jobs', stack: 'Error: It broke\n    at x' },
      { level: 'error', msg: 'thrown', err: { message: 'thrown' } },
    ]);
  });
});
