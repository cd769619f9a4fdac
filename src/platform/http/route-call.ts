import type { ExecutionContext, Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

type HttpHost = ReturnType<ExecutionContext['switchToHttp']>;

/** What guards, interceptors and filters know of a call to a controller's method; always one of HTTP. Who asks says of which type. */
export class RouteCall implements ExecutionContext, HttpHost {
  constructor(
    private readonly controller: Type,
    private readonly handler: ReturnType<ExecutionContext['getHandler']>,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  getClass(): Type<never> {
    return this.controller as Type<never>;
  }

  getHandler(): ReturnType<ExecutionContext['getHandler']> {
    return this.handler;
  }

  getArgs(): never {
    return [this.request, this.reply] as never;
  }

  getArgByIndex(index: number): never {
    return [this.request, this.reply][index] as never;
  }

  getType(): never {
    return 'http' as never;
  }

  switchToHttp(): HttpHost {
    return this;
  }

  getRequest(): never {
    return this.request as never;
  }

  getResponse(): never {
    return this.reply as never;
  }

  getNext(): never {
    return undefined as never;
  }

  switchToRpc(): never {
    throw new Error('This is a call by HTTP.');
  }

  switchToWs(): never {
    throw new Error('This is a call by HTTP.');
  }
}
