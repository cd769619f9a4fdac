import { Module } from '@nestjs/common';
import { OpenStreams } from '../http/streams/open-streams';
import { LimitsModule } from '../limits/limits.module';
import { AccessCache } from './access-cache';
import { ActingGuard } from './acting.guard';
import { BearerGuard } from './bearer.guard';
import { LinkGuard } from './link.guard';
import { Plans } from './plans.service';
import { Provisioning } from './provisioning.service';
import { ScopeGuard } from './scope.guard';
import { StreamAccess } from './stream-access';
import { SubscriptionGuard } from './subscription.guard';
import { TokenUse } from './token-use';
import { Tokens } from './tokens.service';

/** Who may call: accounts, tokens, plans, and the guards over them. */
@Module({
  imports: [LimitsModule],
  providers: [
    AccessCache,
    OpenStreams,
    StreamAccess,
    TokenUse,
    Tokens,
    Plans,
    Provisioning,
    BearerGuard,
    SubscriptionGuard,
    ScopeGuard,
    ActingGuard,
    LinkGuard,
  ],
  exports: [
    AccessCache,
    OpenStreams,
    TokenUse,
    Tokens,
    Plans,
    Provisioning,
    BearerGuard,
    SubscriptionGuard,
    ScopeGuard,
    ActingGuard,
    LinkGuard,
    LimitsModule,
  ],
})
export class AccessModule {}
