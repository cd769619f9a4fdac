import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Database } from '../database/database';
import { timestampText } from '../columns/column-spec';
import { ResourceHooks } from './hooks';
import { checkResources, type Resource } from './resource';

/** What every resource service stands on. Checks all declared names at boot. */
@Injectable()
export class ResourceKernel implements OnModuleInit {
  private readonly stored = new Map<Resource, string>();

  constructor(
    readonly database: Database,
    readonly hooks: ResourceHooks,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    checkResources();
  }

  /** Stored columns of a resource, private ones included, as a select list over `t`; moments are written as in answers. */
  storedColumns(resource: Resource): string {
    let list = this.stored.get(resource);
    if (list === undefined) {
      list = this.dataSource
        .getMetadata(resource.entity)
        .columns.map(({ databaseName, type }) =>
          type === 'timestamptz' ? `${timestampText(`t.${databaseName}`)} AS ${databaseName}` : `t.${databaseName}`,
        )
        .join(', ');
      this.stored.set(resource, list);
    }
    return list;
  }
}
