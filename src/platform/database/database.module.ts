import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../context/runtime-config';
import { createDataSourceOptions, type EntityClass } from './data-source';
import { Database } from './database';
import { SharedReads } from './shared-reads';
import { WorkspaceFacts } from './workspace-facts';

/** The one gate to PostgreSQL, available everywhere. Needs RUNTIME_CONFIG from a global module. */
@Module({})
export class DatabaseModule {
  /** @param entities all entities of the application */
  static forRoot(entities: readonly EntityClass[]): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [RUNTIME_CONFIG],
          useFactory: (config: RuntimeConfig) => ({
            ...createDataSourceOptions(
              config.databaseUrl,
              config.databasePoolSize,
              entities,
              config.databaseWaitMs,
              config.slowness,
            ),
            retryAttempts: 0,
          }),
        }),
      ],
      providers: [Database, SharedReads, WorkspaceFacts],
      exports: [Database, SharedReads, WorkspaceFacts, TypeOrmModule],
    };
  }
}
