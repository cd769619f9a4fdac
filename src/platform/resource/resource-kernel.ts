import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Database } from '../database/database';
import { checkResources, type Resource } from './resource';

/** What every resource service stands on. Checks all declared names at boot. */
@Injectable()
export class ResourceKernel implements OnModuleInit {
  private readonly stored = new Map<Resource, string>();

  constructor(
    readonly database: Database,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    checkResources();
  }

  /** Stored columns of a resource, private ones included, as a select list over `t`. */
  storedColumns(resource: Resource): string {
    let list = this.stored.get(resource);
    if (list === undefined) {
      list = this.dataSource
        .getMetadata(resource.entity)
        .columns.map((column) => `t.${column.databaseName}`)
        .join(', ');
      this.stored.set(resource, list);
    }
    return list;
  }
}
