import { type CanActivate, ForbiddenException, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { concat, EMPTY, of, type Observable, throwError } from 'rxjs';
import { type Chain, type Method, type Parameter, runChain } from '../../src/platform/http/chain-run';

type Verdict = ReturnType<CanActivate['canActivate']>;
type Handled = { pipes?: Parameter['pipes']; handler?: Method['handler'] };

const plain: NestInterceptor = { intercept: (_call, next) => next.handle() };

/** What a request is answered: what was sent, or what the filter was given. */
function answered(chain: Partial<Chain>, { pipes = [], handler = (text) => text }: Handled = {}): Promise<unknown> {
  return new Promise((resolve) => {
    const reply = { status: () => reply, send: (sent: unknown) => resolve({ sent }) } as unknown as FastifyReply;
    const whole: Chain = {
      guards: [],
      interceptor: plain,
      pipe: { transform: (value: unknown) => value },
      filter: { catch: (refused: unknown) => resolve({ refused }) },
      ...chain,
    };
    const parameters = [{ index: 0, read: () => 'a', metadata: { type: 'custom' as const }, pipes }];
    runChain(
      whole,
      { status: 200, controller: Object, instance: {}, handler, parameters },
      {} as FastifyRequest,
      reply,
    );
  });
}

const guard = (verdict: () => Verdict): CanActivate => ({ canActivate: verdict });
const interceptor = (intercept: NestInterceptor['intercept']): NestInterceptor => ({ intercept });
const failure = new Error('no');

/** Something that is known at once, promised, or observed. */
const WAYS: readonly (readonly [string, <T>(value: T) => T | Promise<T> | Observable<T>])[] = [
  ['at once', (value) => value],
  ['by a promise', (value) => Promise.resolve(value)],
  ['by an observable', (value) => of(value)],
];

describe.each(WAYS)('what is told %s', (_name, told) => {
  it('lets a request in, by one guard after the other, and answers it', async () => {
    const asked: number[] = [];
    const guards = [1, 2].map((number) =>
      guard(() => {
        asked.push(number);
        return told(true);
      }),
    );
    expect(await answered({ guards }, { handler: (text) => told(`${text as string}b`) })).toEqual({ sent: 'ab' });
    expect(asked).toEqual([1, 2]);
  });

  it('refuses it, and asks no guard behind', async () => {
    const never = guard(() => {
      throw new Error('asked');
    });
    const refused = await answered({ guards: [guard(() => told(false)), never] });
    expect(refused).toEqual({ refused: expect.any(ForbiddenException) as unknown });
  });
});

describe('a chain', () => {
  it('hands a parameter from pipe to pipe, in their order', async () => {
    const add = (text: string, slowly: boolean): Parameter['pipes'][number] => ({
      transform: (value: string) => (slowly ? Promise.resolve(value + text) : value + text),
    });
    const pipes = [add('b', false), add('c', true), add('d', false), add('e', true)];
    expect(await answered({}, { pipes })).toEqual({ sent: 'abcde' });
  });

  it('tells the filter whatever is thrown, wherever, at once or later', async () => {
    const thrown = (): never => {
      throw failure;
    };
    const later = (): Promise<never> => Promise.reject(failure);
    for (const failing of [thrown, later]) {
      expect(await answered({ guards: [guard(failing)] })).toEqual({ refused: failure });
      expect(await answered({ interceptor: interceptor(failing) })).toEqual({ refused: failure });
      expect(await answered({}, { pipes: [{ transform: failing }] })).toEqual({ refused: failure });
      expect(await answered({}, { handler: failing })).toEqual({ refused: failure });
    }
    expect(await answered({}, { handler: () => throwError(() => failure) })).toEqual({ refused: failure });
  });

  it('sends the last of several answers, of an interceptor that needs time, too', async () => {
    const twice = interceptor((_call, next) => concat(of('first'), next.handle()));
    expect(await answered({ interceptor: twice })).toEqual({ sent: 'a' });
    expect(await answered({ interceptor: interceptor((_call, next) => Promise.resolve(next.handle())) })).toEqual({
      sent: 'a',
    });
  });

  it('that answers nothing is at fault, and so is a filter that fails', async () => {
    expect(await answered({ interceptor: interceptor(() => EMPTY) })).toEqual({
      refused: expect.any(Error) as unknown,
    });
    const filter = {
      catch: () => {
        throw failure;
      },
    };
    expect(await answered({ guards: [guard(() => false)], filter })).toEqual({ sent: failure });
  });
});
