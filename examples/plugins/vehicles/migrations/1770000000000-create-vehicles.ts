import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropExtraColumns, extraColumns } from 'helpdesk-api/migrations/v1/extra-columns';
import {
  filterIndex,
  reference,
  resourceColumns,
  resourceIndexes,
  sortIndex,
} from 'helpdesk-api/migrations/v1/resource-table';
import { searchableByWords } from 'helpdesk-api/migrations/v3/search-by-words';
import { textSortIndex } from 'helpdesk-api/migrations/v4/text-sort-indexes';
import { confine } from 'helpdesk-api/migrations/v1/row-level-security';

/** Vehicles, and the vehicle of a ticket. */
export class CreateVehicles1770000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE vehicles (
        plate text NOT NULL,
        model text,
        status text NOT NULL DEFAULT 'free' CONSTRAINT ck_vehicles_status CHECK (status IN ('free', 'on_the_road', 'broken')),
        driver_id bigint,
        mileage integer NOT NULL DEFAULT 0,
        ${resourceColumns}
      );
      ${resourceIndexes('vehicles')}
      CREATE UNIQUE INDEX uq_vehicles_plate ON vehicles (workspace_id, lower(plate));
      ${textSortIndex('vehicles', 'plate')}
      ${sortIndex('vehicles', 'mileage')}
      ${filterIndex('vehicles', 'status')}
      ${filterIndex('vehicles', 'driver_id', { partial: true })}
      ${reference('vehicles', 'driver_id', 'users')}
      ${searchableByWords('vehicles', `plate || ' ' || coalesce(model, '')`)}
    `);
    await runner.query(confine('vehicles'));
    await runner.query(`
      ${extraColumns('tickets', { vehicles_vehicle_id: 'bigint' })}
      ${reference('tickets', 'vehicles_vehicle_id', 'vehicles')}
      ${filterIndex('tickets', 'vehicles_vehicle_id', { partial: true })}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${dropExtraColumns('tickets', ['vehicles_vehicle_id'])}
      DROP VIEW vehicles_search;
      DROP TABLE vehicles;
    `);
  }
}
