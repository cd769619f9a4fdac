import { type CanActivate, type DynamicModule, Module, type NestInterceptor } from '@nestjs/common';
import { ConfigModule, registerAs } from '@nestjs/config';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, ModulesContainer } from '@nestjs/core';
import { ClsService, ClsServiceManager } from 'nestjs-cls';
import type { Logger } from 'pino';
import { AreaConsumers } from './area/area-consumers';
import { AreaDuties } from './area/area-duties';
import { Areas } from './area/areas';
import { AccessModule } from './auth/access.module';
import { ActingGuard } from './auth/acting.guard';
import { BearerGuard } from './auth/bearer.guard';
import { LinkGuard } from './auth/link.guard';
import { ScopeGuard } from './auth/scope.guard';
import { SubscriptionGuard } from './auth/subscription.guard';
import { RUNTIME, type RuntimeConfig } from './context/runtime-config';
import { DatabaseModule } from './database/database.module';
import { FilesModule } from './files/files.module';
import { HealthService } from './health/health.service';
import { CompiledRoutes } from './http/compiled-routes';
import { EnvelopeInterceptor } from './http/envelope.interceptor';
import { ApiExceptionFilter } from './http/exception.filter';
import { InterceptorChain } from './http/interceptor-chain';
import { LOGGER } from './http/logger';
import { QuotaHeadersInterceptor } from './http/quota-headers.interceptor';
import { OriginRules } from './http/origin-rules';
import { RouteTable } from './http/route-table';
import { SyntaxGuard } from './http/syntax.guard';
import { UnknownRouteController } from './http/unknown-route.controller';
import { ValidationPipe } from './http/validation-pipe';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor';
import { AnswerErasure } from './idempotency/answer-erasure';
import { IdempotencyStore } from './idempotency/idempotency.store';
import { PageLimitGuard } from './limits/page-limit.guard';
import { QuotaGuard } from './limits/quota.guard';
import { RateLimitGuard } from './limits/rate-limit.guard';
import { BrandModule } from './brand/brand.module';
import { DeliveryModule } from './delivery/delivery.module';
import { MailModule } from './mail/mail.module';
import { PrivacyModule } from './privacy/privacy.module';
import { QueueModule } from './queue/queue.module';
import { readOnlyFieldsOf } from './columns/bodies';
import { FieldSelectionInterceptor } from './routes/field-selection.interceptor';
import { isPlain } from './routes/routes';
import { ResourceModule } from './resource/resource.module';
import { SandboxModule } from './sandbox/sandbox.module';
import { ScheduleModule } from './schedule/schedule.module';
import { SecretsModule } from './secrets/secrets.module';
import { OutboundModule } from './outbound/outbound.module';
import { WorkersModule } from './workers/workers.module';

/** What a process is started with. */
export interface PlatformOptions {
  config: RuntimeConfig;
  logger: Logger;
  areas: Areas;
}

/** Every guard that a request passes, in this order: that of 401, 403, 429 and 422 follows from it. */
const guards = [
  BearerGuard,
  SubscriptionGuard,
  ScopeGuard,
  RateLimitGuard,
  QuotaGuard,
  ActingGuard,
  PageLimitGuard,
  SyntaxGuard,
  LinkGuard,
];

/**
 * Outermost first. The idempotency interceptor opens the unit of work, so everything after it happens in that
 * transaction; the envelope is innermost, so what is stored with a key is the answer's final text.
 */
const interceptors = [QuotaHeadersInterceptor, IdempotencyInterceptor, FieldSelectionInterceptor, EnvelopeInterceptor];

/** The platform: everything an area needs and nothing that knows an area. The pipeline is listed in running order. */
@Module({})
export class PlatformModule {
  static forRoot({ config, logger, areas }: PlatformOptions): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [
        RuntimeModule.with(config, logger),
        DatabaseModule.forRoot(areas.entities),
        AccessModule,
        ScheduleModule,
        SecretsModule,
        QueueModule,
        SandboxModule,
        OutboundModule,
        DeliveryModule,
        BrandModule,
        MailModule,
        ResourceModule,
        WorkersModule,
        FilesModule,
        PrivacyModule,
      ],
      controllers: [UnknownRouteController],
      providers: [
        { provide: Areas, useValue: areas },
        AreaConsumers,
        AreaDuties,
        HealthService,
        IdempotencyStore,
        AnswerErasure,
        OriginRules,
        RouteTable,
        SyntaxGuard,
        { provide: ValidationPipe, useFactory: () => new ValidationPipe(readOnlyFieldsOf) },
        ...guards.map((useExisting) => ({ provide: APP_GUARD, useExisting })),
        ...interceptors,
        {
          provide: InterceptorChain,
          inject: interceptors,
          useFactory: (...all: NestInterceptor[]) => new InterceptorChain(all),
        },
        { provide: ApiExceptionFilter, useFactory: (log: Logger) => new ApiExceptionFilter(log), inject: [LOGGER] },
        { provide: APP_INTERCEPTOR, useExisting: InterceptorChain },
        { provide: APP_PIPE, useExisting: ValidationPipe },
        { provide: APP_FILTER, useExisting: ApiExceptionFilter },
        {
          provide: CompiledRoutes,
          inject: [ModulesContainer, InterceptorChain, ValidationPipe, ApiExceptionFilter, ...guards],
          useFactory: (
            modules: ModulesContainer,
            interceptor: InterceptorChain,
            pipe: ValidationPipe,
            filter: ApiExceptionFilter,
            ...all: CanActivate[]
          ) => new CompiledRoutes(modules, { guards: all, interceptor, pipe, filter }, isPlain),
        },
      ],
      exports: [AreaDuties, Areas, CompiledRoutes, HealthService, OriginRules, RouteTable, ValidationPipe],
    };
  }
}

/** Configuration and log, for every module. */
@Module({})
class RuntimeModule {
  static with(config: RuntimeConfig, logger: Logger): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      imports: [
        // `src/config.ts` has read the environment; nothing here looks at it, or at a file, once more.
        ConfigModule.forRoot({
          load: [registerAs(RUNTIME, () => config)],
          ...{ isGlobal: true, ignoreEnvFile: true, ignoreEnvVars: true, skipProcessEnv: true },
        }),
      ],
      providers: [
        { provide: LOGGER, useValue: logger },
        // Without its module, whose guard and interceptor would be called for nothing: requests and jobs enter the context by themselves.
        { provide: ClsService, useValue: ClsServiceManager.getClsService() },
      ],
      exports: [LOGGER, ClsService],
    };
  }
}
