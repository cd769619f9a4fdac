import { type DynamicModule, Inject, Module, type Type } from '@nestjs/common';
import type { ObjectLiteral } from 'typeorm';
import { Database } from './database';
import { WorkspaceRepository } from './workspace-repository';

const tokenOf = (entity: Type): string => `${entity.name}WorkspaceRepository`;

/** Repositories of entities, confined to the current workspace: `WorkspaceRepositoryModule.forFeature([Ticket])`. */
@Module({})
export class WorkspaceRepositoryModule {
  static forFeature(entities: readonly Type<ObjectLiteral>[]): DynamicModule {
    const providers = entities.map((entity) => ({
      provide: tokenOf(entity),
      inject: [Database],
      useFactory: (database: Database) => new WorkspaceRepository(database, entity),
    }));
    return { module: WorkspaceRepositoryModule, providers, exports: providers };
  }
}

/** Injects one: `constructor(@InjectWorkspaceRepository(Ticket) private readonly tickets: WorkspaceRepository<Ticket>)`. */
export function InjectWorkspaceRepository(entity: Type): ParameterDecorator {
  return Inject(tokenOf(entity));
}
