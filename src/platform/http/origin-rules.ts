import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Whether a page of an origin may call what a request asks for. Also asked before a preflight is answered, by nobody who is known. */
export type AllowsOrigin = (request: FastifyRequest, origin: string) => Promise<boolean>;

/** Paths below which others than `CORS_ORIGINS` say which pages may call: what is made to be called from customers' own sites. */
@Injectable()
export class OriginRules {
  private readonly rules: { prefix: string; allows: AllowsOrigin }[] = [];

  /** @param prefix of paths, e.g. `/v1/chat/` */
  register(prefix: string, allows: AllowsOrigin): void {
    this.rules.push({ prefix, allows });
  }

  /** What decides for an address; null where `CORS_ORIGINS` does. */
  of(url: string): AllowsOrigin | null {
    return this.rules.find(({ prefix }) => url.startsWith(prefix))?.allows ?? null;
  }
}
