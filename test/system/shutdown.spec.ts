import { once } from 'node:events';
import { connect } from 'node:net';
import { refuseNew } from '../../src/platform/http/drain';
import { api } from '../support/api';
import { startApp } from '../support/app';
import { probeLog, probeModules } from '../support/probe.module';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

describe('closing the application', () => {
  it('answers what is in flight, refuses new connections and counts everything', async () => {
    const server = await startApp({}, { modules: probeModules });
    const workspace = await makeWorkspace(server);
    const inFlight = [1001, 1002, 1003].map((id) => workspace.api.post(`/probes/${id}/slow`));
    await until('all have begun', () => probeLog.filter((name) => /^slow 100\d began$/.test(name)).length === 3);
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

  it('refuses politely who connects during the end, whatever is sent, until the listener is closed', async () => {
    const server = await startApp();
    const outcomes: string[] = [];
    const visit = async (body: string | null): Promise<number> => {
      const given = body === null ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      const response = await fetch(`${server.url}/v1/tickets`, given);
      const { error } = (await response.json()) as { error: { type: string; status: number; request_id: string } };
      const { headers, status } = response;
      if (status === 503) {
        expect([headers.get('connection'), headers.get('retry-after')]).toEqual(['close', '1']);
        expect(error).toMatchObject({
          type: 'service_unavailable',
          status: 503,
          request_id: headers.get('x-request-id'),
        });
      }
      return status;
    };
    const codeOf = (failure: unknown): string => String((failure as { cause?: { code?: string } }).cause?.code);
    let refused = false;
    const client = async (body: string | null): Promise<void> => {
      while (!refused) {
        outcomes.push(await visit(body).then(String, codeOf));
        // Who does nothing else takes the core that the server needs for its end.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const bodies = [null, null, '{}', JSON.stringify({ subject: 'x'.repeat(200_000) })];
    const clients = bodies.map((body) => client(body));
    await until('some were answered', () => outcomes.length > 20);
    await refuseNew(server.app.getHttpAdapter().getInstance());
    await server.close();
    refused = true;
    await Promise.all(clients);
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(outcomes).toContain('503');
    expect([...new Set(outcomes)].filter((outcome) => !['401', '503', 'ECONNREFUSED'].includes(outcome))).toEqual([]);
  });
});
