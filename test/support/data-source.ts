import type { DataSourceOptions } from 'typeorm';
import { createDataSourceOptions, type EntityClass } from '../../src/platform/database/data-source';
import { patience } from './machine';

/** Options of a data source without an application, whose statements, locks and waits may take as long as this machine needs. */
export function testDataSource(
  url: string,
  poolSize: number,
  entities: readonly EntityClass[] = [],
): DataSourceOptions {
  return createDataSourceOptions(url, poolSize, entities, patience(20_000), patience(1_000) / 1_000);
}
