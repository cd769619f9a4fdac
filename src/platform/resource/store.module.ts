import { type DynamicModule, Inject, Module, type Type } from '@nestjs/common';
import { WorkspaceRepositoryModule } from '../database/workspace-repository.module';
import { Reader } from './reader';
import type { Resource } from './resource';
import { ResourceEntity } from './resource-entity';
import { ResourceKernel } from './resource-kernel';
import { Store } from './store';

const tokenOf = (entity: Type): string => `${entity.name}Store`;

/**
 * The stores of an area's resources, to be injected with `@InjectStore(Ticket)`, as `TypeOrmModule.forFeature` does repositories;
 * those for reading rows (`@InjectWorkspaceRepository(Ticket)`) come with them.
 */
@Module({})
export class StoreModule {
  /** A store for every resource; a reader for those that requests only read. */
  static forFeature(...resources: readonly Resource[]): DynamicModule {
    const providers = resources.map((resource) => ({
      provide: tokenOf(resource.entity),
      inject: [ResourceKernel],
      useFactory: (kernel: ResourceKernel) =>
        isWritten(resource) ? new Store(resource, kernel) : new Reader(resource, kernel),
    }));
    const repositories = WorkspaceRepositoryModule.forFeature(resources.map(({ entity }) => entity));
    return { module: StoreModule, imports: [repositories], providers, exports: [...providers, repositories] };
  }
}

/** Injects the store of an entity's records: `constructor(@InjectStore(Ticket) private readonly tickets: Store<Ticket>)`. */
export function InjectStore(entity: Type<ResourceEntity>): ParameterDecorator {
  return Inject(tokenOf(entity));
}

/** Injects what lists and reads an entity's records. */
export function InjectReader(entity: Type): ParameterDecorator {
  return Inject(tokenOf(entity));
}

function isWritten(resource: Resource): resource is Resource<ResourceEntity> {
  return resource.entity.prototype instanceof ResourceEntity;
}
