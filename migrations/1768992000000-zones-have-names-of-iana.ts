import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * Zones were taken by names that only Node has: abbreviations of old Java, zones of System V, names that IANA took away. PostgreSQL knows
 * none of them, or takes them for others. They are called by the names of IANA now.
 */
export class ZonesHaveNamesOfIana1768992000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = ['workspaces', 'schedules', 'users', 'contacts', 'meetings'].map(renamedIn);
    await runner.query(`SET LOCAL ROLE ${SYSTEM_ROLE}; ${columns.join('')} ${OF_POLICIES} RESET ROLE`);
  }

  async down(): Promise<void> {
    // The names of before mean the same zones to Node.
  }
}

/** As Node reads them. */
const NAMES = {
  ACT: 'Australia/Darwin',
  AET: 'Australia/Sydney',
  AGT: 'America/Argentina/Buenos_Aires',
  ART: 'Africa/Cairo',
  AST: 'America/Anchorage',
  BET: 'America/Sao_Paulo',
  BST: 'Asia/Dhaka',
  CAT: 'Africa/Maputo',
  CNT: 'America/St_Johns',
  CST: 'America/Chicago',
  CTT: 'Asia/Shanghai',
  EAT: 'Africa/Nairobi',
  ECT: 'Europe/Paris',
  IET: 'America/Indiana/Indianapolis',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  MIT: 'Pacific/Apia',
  NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland',
  PLT: 'Asia/Karachi',
  PNT: 'America/Phoenix',
  PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles',
  SST: 'Pacific/Guadalcanal',
  VST: 'Asia/Ho_Chi_Minh',
  'CANADA/EAST-SASKATCHEWAN': 'America/Regina',
  'US/PACIFIC-NEW': 'America/Los_Angeles',
  'SYSTEMV/AST4': 'America/Puerto_Rico',
  'SYSTEMV/AST4ADT': 'America/Halifax',
  'SYSTEMV/CST6': 'America/Regina',
  'SYSTEMV/CST6CDT': 'America/Chicago',
  'SYSTEMV/EST5': 'America/Indiana/Indianapolis',
  'SYSTEMV/EST5EDT': 'America/New_York',
  'SYSTEMV/HST10': 'Pacific/Honolulu',
  'SYSTEMV/MST7': 'America/Phoenix',
  'SYSTEMV/MST7MDT': 'America/Denver',
  'SYSTEMV/PST8': 'Pacific/Pitcairn',
  'SYSTEMV/PST8PDT': 'America/Los_Angeles',
  'SYSTEMV/YST9': 'Pacific/Gambier',
  'SYSTEMV/YST9YDT': 'America/Anchorage',
};
const ROWS = Object.entries(NAMES)
  .map(([old, name]) => `('${old}', '${name}')`)
  .join(', ');

/** SQL of the name of a zone; NULL of one that stays. @param of SQL */
const nameOf = (of: string): string =>
  `(SELECT z.name FROM (VALUES ${ROWS}) AS z (old, name) WHERE z.old = upper(${of}))`;

/** Nothing where the area of the table is not installed. */
const where = (table: string, statement: string): string => `
  DO $$ BEGIN
    IF to_regclass('${table}') IS NOT NULL THEN
      ${statement};
    END IF;
  END $$;`;

const renamedIn = (table: string): string =>
  where(
    table,
    `UPDATE ${table} r SET timezone = ${nameOf('r.timezone')}, version = version + 1 WHERE ${nameOf('r.timezone')} IS NOT NULL`,
  );

const OF_POLICIES = where(
  'sla_policies',
  `UPDATE sla_policies r SET version = version + 1, schedule = jsonb_set(r.schedule, '{timezone}', to_jsonb(${nameOf(`r.schedule ->> 'timezone'`)}))
    WHERE ${nameOf(`r.schedule ->> 'timezone'`)} IS NOT NULL`,
);
