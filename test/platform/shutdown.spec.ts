import { once } from 'node:events';
import { connect } from 'node:net';
import { api } from '../support/api';
import { startApp } from '../support/app';
import { probeLog, probeModules } from '../support/probe.module';
import { makeWorkspace } from '../support/workspace';

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('closing the application', () => {
  it('answers what is in flight, refuses new connections and counts everything', async () => {
    const server = await startApp({}, { modules: probeModules });
    const workspace = await makeWorkspace(server);
    const inFlight = [1001, 1002, 1003].map((id) => workspace.api.post(`/probes/${id}/slow`));
    await until(() => probeLog.filter((name) => /^slow 100\d began$/.test(name)).length === 3);
    const closing = server.close();
    const answers = await Promise.all(inFlight);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await closing;
    await expect(api(server.url).get('/health')).rejects.toThrow();

    const next = await startApp();
    try {
      const counted = (await api(next.url, workspace.token).get('/me')).header('x-quota-used');
      expect(counted).toBe('4');
    } finally {
      await next.close();
    }
  });

  it('does not wait for idle connections', async () => {
    const server = await startApp();
    const { hostname, port } = new URL(server.url);
    const idle = connect(Number(port), hostname);
    await once(idle, 'connect');
    const used = connect(Number(port), hostname);
    used.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(used, 'data');
    const ends = Promise.all([once(idle, 'close'), once(used, 'close')]);
    await server.close();
    await ends;
    expect([idle.destroyed, used.destroyed]).toEqual([true, true]);
  });
});
