import { Logger } from '@nestjs/common';
import { Client, types, type ClientConfig } from 'pg';
import type { DataSourceOptions, EntityTarget, ObjectLiteral } from 'typeorm';
import { rowTypes } from '../postgres/row-types';

/** Entity classes as TypeORM takes them. */
export type EntityClass = EntityTarget<ObjectLiteral> & (new () => object);

/** Longest wait for a connection, unless `DATABASE_WAIT_MS` is set. */
export const WAIT_MS = 2000;

/** Every request runs confined and bounded, whoever DATABASE_URL names: a superuser there must not switch RLS off. */
const SESSION = [
  'role=helpdesk_app',
  'TimeZone=UTC',
  // Starting helpers takes some 6 ms a scan: more than the scans of a request, and cores that other requests need.
  'max_parallel_workers_per_gather=0',
];

/** How long statements may take, wait for a lock, and transactions may do nothing; in milliseconds. */
const BOUNDS = { statement_timeout: 5_000, lock_timeout: 3_000, idle_in_transaction_session_timeout: 15_000 };

const logger = new Logger('PostgreSQL');

/** A connection that dies idle or mid-query must not take the process with it: pg emits 'error', Node throws it. */
class ResilientClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', (error: Error) => logger.warn(`A connection was lost: ${error.message}`));
  }
}

/**
 * Options of the API's and the command's data source: one pool of confined connections.
 *
 * @param poolSize most connections this process may hold
 * @param waitMs longest wait for one of them, new or free again
 * @param slowness how many times longer statements, locks and transactions may take: tests know how slow their machine is
 */
export function createDataSourceOptions(
  databaseUrl: string,
  poolSize: number,
  entities: readonly EntityClass[],
  waitMs = WAIT_MS,
  slowness = 1,
): DataSourceOptions {
  readBigintsAsNumbers();
  const bounds = Object.entries(BOUNDS).map(([name, ms]) => `${name}=${Math.round(ms * slowness)}`);
  return {
    type: 'postgres',
    url: databaseUrl,
    entities: [...entities],
    poolSize,
    connectTimeoutMS: waitMs,
    applicationName: 'helpdesk-api',
    installExtensions: false,
    logging: false,
    logger: 'debug',
    extra: {
      Client: ResilientClient,
      types: rowTypes,
      options: [...SESSION, ...bounds].map((setting) => `-c ${setting}`).join(' '),
      keepAlive: true,
      idleTimeoutMillis: 60_000,
    },
  };
}

/** OID of `bigint[]`; there are no nulls in ours. */
const INT8_ARRAY = 1016 as unknown as Parameters<typeof types.setTypeParser>[0];

/** Ids and counts are bigint in PostgreSQL and stay far below 2^53 here. */
export function readBigintsAsNumbers(): void {
  types.setTypeParser(types.builtins.INT8, Number);
  types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)));
}
