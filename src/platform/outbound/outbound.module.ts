import { Global, Module } from '@nestjs/common';
import { Outbound } from './outbound';

/** The HTTP client for messages to other servers. */
@Global()
@Module({ providers: [Outbound], exports: [Outbound] })
export class OutboundModule {}
