import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Link, OpenedByLink } from '../../../platform/auth/link.guard';
import { Needs } from '../../../platform/auth/permission';
import { FileResult } from '../../../platform/http/results';
import type { LinkTarget } from '../../../platform/secrets/public-links';
import { INBOUND_LINK, INBOUND_PATH } from '../channels.service';
import { SignedInbound } from './signed-inbound';

/** Where the other sides of channels post to: without a token, each request signed in its own way. */
@OpenedByLink(INBOUND_LINK, ['channels.receive'])
@ApiExcludeController()
@Controller(INBOUND_PATH)
export class InboundController {
  constructor(private readonly inbound: SignedInbound) {}

  @Needs('channels.receive')
  @Post(':token')
  @HttpCode(200)
  @RouteConfig({ takesBytes: true })
  take(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<FileResult | object> {
    return this.inbound.take(target, request);
  }

  /** Some ask first whether they are right here. */
  @Needs('channels.receive')
  @Get(':token')
  @RouteConfig({ takesBytes: true })
  ask(@Link() target: LinkTarget, @Req() request: FastifyRequest): Promise<FileResult | object> {
    return this.inbound.take(target, request);
  }
}
