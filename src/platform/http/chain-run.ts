import {
  type ArgumentMetadata,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  ForbiddenException,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isObservable, lastValueFrom, Observable } from 'rxjs';
import { RouteCall } from './route-call';

/** What every request passes, in its order. */
export interface Chain {
  guards: readonly CanActivate[];
  interceptor: NestInterceptor;
  pipe: PipeTransform;
  filter: ExceptionFilter;
}

/** A parameter of a controller's method. */
export interface Parameter {
  index: number;
  read: (request: FastifyRequest, call: ExecutionContext) => unknown;
  metadata: ArgumentMetadata;
  pipes: readonly PipeTransform[];
}

/** A method of a controller, as Nest would call it. */
export interface Method {
  /** Of an answer that says no other. */
  status: number;
  controller: Type;
  instance: object;
  handler: (...args: unknown[]) => unknown;
  parameters: readonly Parameter[];
}

/**
 * Calls a method with all that a request passes, and answers what it answers. Whatever is known at once is passed at once: each promise costs
 * as much as a guard, where asynchronous scopes are kept.
 */
export function runChain(chain: Chain, method: Method, request: FastifyRequest, reply: FastifyReply): void {
  const call = new RouteCall(method.controller, method.handler, request, reply);
  const refuse = (error: unknown): void => {
    try {
      chain.filter.catch(error, call);
    } catch (worse) {
      void reply.send(worse);
    }
  };
  const send = (answers: Observable<unknown>): void => answerLast(answers, reply, refuse);
  const run = (): void => {
    void reply.status(method.status);
    const answers = chain.interceptor.intercept(call, { handle: () => answersOf(method, call, request) });
    if (answers instanceof Promise) answers.then(send).catch(refuse);
    else send(answers);
  };
  try {
    const admitted = admit(chain.guards, call);
    if (admitted === true) run();
    else admitted.then(run).catch(refuse);
  } catch (error) {
    refuse(error);
  }
}

function admit(guards: readonly CanActivate[], call: ExecutionContext, from = 0): true | Promise<true> {
  for (let place = from; place < guards.length; place++) {
    const verdict = guards[place]?.canActivate(call);
    if (verdict === true) continue;
    const settled = isObservable(verdict) ? lastValueFrom(verdict) : verdict;
    if (settled instanceof Promise)
      return settled.then((granted) => {
        if (!granted) throw new ForbiddenException();
        return admit(guards, call, place + 1);
      });
    throw new ForbiddenException();
  }
  return true;
}

/** Sends the last of the answers. */
function answerLast(answers: Observable<unknown>, reply: FastifyReply, refuse: (error: unknown) => void): void {
  let last: { answer: unknown } | null = null;
  answers.subscribe({
    next: (answer) => (last = { answer }),
    error: refuse,
    // What is thrown here, rxjs would tell nobody.
    complete: () => {
      try {
        if (!last) throw new Error('A route has answered nothing.');
        void reply.send(last.answer);
      } catch (error) {
        refuse(error);
      }
    },
  });
}

/** What a method answers, once somebody wants it. */
function answersOf(method: Method, call: ExecutionContext, request: FastifyRequest): Observable<unknown> {
  return new Observable((answers) => {
    const settle = (answer: unknown): void => {
      const pending = isObservable(answer) ? lastValueFrom(answer) : answer;
      if (pending instanceof Promise) pending.then(settle, (error: unknown) => answers.error(error));
      else {
        answers.next(pending);
        answers.complete();
      }
    };
    settle(invoke(method, call, request));
  });
}

function invoke(
  method: Method,
  call: ExecutionContext,
  request: FastifyRequest,
  values: unknown[] = [],
  from = 0,
): unknown {
  const { instance, handler, parameters } = method;
  for (const [place, parameter] of parameters.entries()) {
    if (place < from) continue;
    const value = piped(parameter, parameter.read(request, call));
    if (value instanceof Promise)
      return value.then((settled: unknown) => {
        values[parameter.index] = settled;
        return invoke(method, call, request, values, place + 1);
      });
    values[parameter.index] = value;
  }
  return handler.apply(instance, values);
}

function piped(parameter: Parameter, read: unknown, from = 0): unknown {
  const { pipes, metadata } = parameter;
  let value = read;
  for (let place = from; place < pipes.length; place++) {
    value = pipes[place]?.transform(value, metadata);
    if (value instanceof Promise) return value.then((settled: unknown) => piped(parameter, settled, place + 1));
  }
  return value;
}
