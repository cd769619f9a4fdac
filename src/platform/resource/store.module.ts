import { type DynamicModule, Inject, Module, type Type } from '@nestjs/common';
import type { Resource } from './resource';
import type { ResourceEntity } from './resource-entity';
import { ResourceKernel } from './resource-kernel';
import { Store } from './store';

const tokenOf = (entity: Type): string => `${entity.name}Store`;

/** The stores of an area's resources, to be injected with `@InjectStore(Ticket)`, as `TypeOrmModule.forFeature` does repositories. */
@Module({})
export class StoreModule {
  static forFeature(...resources: readonly Resource<ResourceEntity>[]): DynamicModule {
    const providers = resources.map((resource) => ({
      provide: tokenOf(resource.entity),
      inject: [ResourceKernel],
      useFactory: (kernel: ResourceKernel) => new Store(resource, kernel),
    }));
    return { module: StoreModule, providers, exports: providers };
  }
}

/** Injects the store of an entity's records: `constructor(@InjectStore(Ticket) private readonly tickets: Store<Ticket>)`. */
export function InjectStore(entity: Type<ResourceEntity>): ParameterDecorator {
  return Inject(tokenOf(entity));
}
