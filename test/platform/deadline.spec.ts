import { Controller, Get, Module } from '@nestjs/common';
import fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { Public } from '../../src/platform/auth/public.decorator';
import { limitRequests } from '../../src/platform/http/deadline';
import { rulesOf } from '../../src/platform/http/upload/upload-options';
import { useApp } from '../support/app';
import { patience } from '../support/machine';
import { sending } from '../support/uploads';

@Public()
@Controller('stuck')
class StuckController {
  @Get()
  wait(): Promise<never> {
    return new Promise(() => undefined);
  }

  @Get('short')
  soon(): Promise<{ ok: boolean }> {
    return new Promise((resolve) => setTimeout(() => resolve({ ok: true }), 50));
  }
}

@Module({ controllers: [StuckController] })
class StuckModule {}

describe('the deadline of handlers', () => {
  const app = useApp({}, { modules: [StuckModule], handlerLimitMs: patience(1_000) });

  it('answers 503 with Retry-After in the uniform body when a handler never ends', async () => {
    const response = await fetch(`${app.url}/v1/stuck`);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error: { type: 'service_unavailable', status: 503 } });
  });

  it('leaves quicker ones alone', async () => {
    const response = await fetch(`${app.url}/v1/stuck/short`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { ok: true } });
  });
});

describe('the deadline of bodies', () => {
  it('is that of each route, although Node waits for the slowest of them', async () => {
    const server = fastify();
    limitRequests(server, patience(2_000), patience(200));
    const upload = rulesOf({ maxBytes: 1, types: [], withinSeconds: 60 });
    server.post('/v1/plain', () => ({}));
    server.post('/v1/upload', { config: { upload } }, () => ({}));
    await server.listen({ port: 0, host: '127.0.0.1' });
    const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    try {
      expect(server.server.requestTimeout).toBe(60_000 + patience(200));
      const [plain, uploaded] = ['/plain', '/upload'].map((path) =>
        sending(url, path, { 'content-type': 'application/json' }),
      );
      await Promise.all([plain?.write('{'), uploaded?.write('{')]);
      expect((await plain?.answer)?.status).toBe(408);
      await uploaded?.write('}');
      uploaded?.end();
      expect((await uploaded?.answer)?.status).toBe(200);
    } finally {
      await server.close();
    }
  });
});
