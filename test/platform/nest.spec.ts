import { Controller, Get, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { ClsService } from 'nestjs-cls';
import { Public } from '../../src/platform/auth/public.decorator';
import type { Context } from '../../src/platform/context/current';
import { ThrottleCheck } from '../../src/platform/limits/throttle-check';
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

  @Get('seldom')
  @Throttle({ default: { limit: 2, ttl: 3_600_000 } })
  seldom(): object {
    return {};
  }

  @Get('often')
  @Throttle({ default: { limit: 3, ttl: 1_000 } })
  often(): object {
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

it('its window is as long as it says, and its headers tell that one', async () => {
  const { api } = await makeWorkspace(server, { plan: await makePlan(server, { ratePerMinute: 100 }) });
  const first = (await api.get('/throttled/seldom')).expect(200);
  expect(first.header('x-ratelimit-limit')).toBe('2');
  expect(first.header('x-ratelimit-remaining')).toBe('1');
  expect(first.header('ratelimit-policy')).toBe('"default";q=2;w=3600');
  (await api.get('/throttled/seldom')).expect(200);
  const refused = (await api.get('/throttled/seldom')).expect(429);
  expect(refused.error.message).toContain('2 requests in 3600 seconds');
  // More than a minute, and no more than the window.
  expect(Number(refused.header('retry-after'))).toBeGreaterThan(60);
  expect(Number(refused.header('retry-after'))).toBeLessThanOrEqual(3600);
  expect((await api.get('/throttled/plain')).expect(200).header('x-ratelimit-remaining')).toBe('99');
});

it('and over soon where it is short', async () => {
  const { api } = await makeWorkspace(server);
  const burst = (): Promise<number[]> =>
    Promise.all(Array.from({ length: 8 }, async () => (await api.get('/throttled/often')).status));
  await until('the limit is used up', async () => (await burst()).includes(429));
  await until('there is room again', async () => (await api.get('/throttled/often')).status === 200);
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

describe('a limit that would not do what it says', () => {
  const startedWith = async (options: Parameters<typeof Throttle>[0]): Promise<unknown> => {
    class Limited {
      read(): object {
        return {};
      }
    }
    Throttle(options)(Limited.prototype, 'read', Object.getOwnPropertyDescriptor(Limited.prototype, 'read') ?? {});
    Controller('limited')(Limited);
    const parts = { imports: [DiscoveryModule], controllers: [Limited], providers: [ThrottleCheck] };
    return (await Test.createTestingModule(parts).compile()).init();
  };

  it.each([
    ['is no time', { default: { limit: 1, ttl: 0 } }, 'Limited.read: "ttl" must be milliseconds above 0, not 0'],
    ['has no throttler', { short: { limit: 1, ttl: 1_000 } }, 'there is no throttler "short", only "default"'],
    ['blocks', { default: { limit: 1, ttl: 1_000, blockDuration: 5_000 } }, '"blockDuration" is not known'],
  ])('because it %s is refused at the start', async (_, options, message) => {
    await expect(startedWith(options)).rejects.toThrow(message);
  });
});
