import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { migrations } from './migrations/list';
import { loadConfig } from './src/config';
import { entities } from './src/entities';
import { MIGRATIONS_TABLE } from './src/platform/database/migrate';

/** For TypeORM's own command line (`npx typeorm -d dist/ormconfig.js …`); the service migrates by itself on start. */
export const dataSource = new DataSource({
  type: 'postgres',
  url: loadConfig().migrateDatabaseUrl ?? loadConfig().databaseUrl ?? 'postgresql://set-DATABASE_URL-first/helpdesk',
  entities: [...entities],
  migrations: [...migrations],
  migrationsTableName: MIGRATIONS_TABLE,
});
