import { Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/platform/auth/public.decorator';
import { useApp } from '../support/app';
import { patience } from '../support/machine';

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
