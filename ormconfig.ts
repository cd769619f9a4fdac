import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { loadConfig } from './src/config';
import { Areas } from './src/platform/area/areas';
import { installedAreas } from './src/plugins/installed';
import { MIGRATIONS_TABLE } from './src/platform/database/migrate';

const { entities, migrations } = new Areas(installedAreas(loadConfig()));

/** For TypeORM's own command line (`npx typeorm -d dist/ormconfig.js …`); the service migrates by itself on start. */
export const dataSource = new DataSource({
  type: 'postgres',
  url: loadConfig().migrateDatabaseUrl ?? loadConfig().databaseUrl ?? 'postgresql://set-DATABASE_URL-first/helpdesk',
  entities,
  migrations,
  migrationsTableName: MIGRATIONS_TABLE,
});
