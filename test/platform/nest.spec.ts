import { Controller, Get, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { ClsService } from 'nestjs-cls';
import { Public } from '../../src/platform/auth/public.decorator';
import type { Context } from '../../src/platform/context/current';
import { RedisThrottlerStorage } from '../../src/platform/limits/redis-throttler-storage';
import { Api } from '../support/api';
import { useOwnApp } from '../support/app';
import { until } from '../support/until';
import { makePlan, makeWorkspace } from '../support/workspace';

const THREE = { default: { limit: 3, ttl: 60_000 } };

@Controller('throttled')
class ThrottledController {
  @Get('rare')
  @Throttle(THREE)
  rare(): object {
    return {};
  }

  @Get('free')
  @SkipThrottle()
  free(): object {
    return {};
  }

  @Get('plain')
  plain(): object {
    return {};
  }

  @Get('open')
  @Public()
  @Throttle(THREE)
  open(): object {
    return {};
  }
}

@Controller('services')
class ServicesController {
  constructor(
    private readonly config: ConfigService,
    private readonly cls: ClsService<Context>,
  ) {}

  @Get()
  read(): object {
    return { host: this.config.get<string>('runtime.host'), workspace: this.cls.get('workspaceId') };
  }
}

@Module({ controllers: [ThrottledController, ServicesController] })
class NestModule {}

const server = useOwnApp({}, { modules: [NestModule] });

const statuses = async (api: Api, path: string, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await api.get(path)).status);
  return found;
};

beforeAll(() => until('limits are shared', () => server.app.get(RedisThrottlerStorage).mode === 'shared'));

it('a route with @Throttle has a limit of its own, per token, in place of the plan’s', async () => {
  const plan = await makePlan(server, { ratePerMinute: 2 });
  const [one, other] = [await makeWorkspace(server, { plan }), await makeWorkspace(server, { plan })];
  expect(await statuses(one.api, '/throttled/rare', 4)).toEqual([200, 200, 200, 429]);
  const refused = (await one.api.get('/throttled/rare')).expect(429);
  expect(refused.error.type).toBe('rate_limit_exceeded');
  expect(Number(refused.header('retry-after'))).toBeLessThanOrEqual(60);
  expect(await statuses(other.api, '/throttled/rare', 3)).toEqual([200, 200, 200]);
  expect(await statuses(one.api, '/throttled/plain', 3)).toEqual([200, 200, 429]);
});

it('a route with @SkipThrottle has none, and others know nothing of its requests', async () => {
  const plan = await makePlan(server, { ratePerMinute: 2 });
  const { api } = await makeWorkspace(server, { plan });
  expect(await statuses(api, '/throttled/free', 5)).toEqual([200, 200, 200, 200, 200]);
  expect((await api.get('/throttled/plain')).expect(200).header('x-ratelimit-remaining')).toBe('1');
});

it('a public route with @Throttle is limited by address', async () => {
  expect(await statuses(new Api(server.url, null), '/throttled/open', 4)).toEqual([200, 200, 200, 429]);
});

it('ConfigService and ClsService tell what the service itself knows', async () => {
  const { api, id } = await makeWorkspace(server);
  expect((await api.get('/services')).expect(200).data).toEqual({ host: '127.0.0.1', workspace: id });
});

it('ConfigService does not read the environment', () => {
  expect(server.app.get(ConfigService).get('PATH')).toBeUndefined();
});
