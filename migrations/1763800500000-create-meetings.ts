import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  reference,
  resourceColumns,
  resourceIndexes,
  searchable,
  sortIndex,
  tallied,
} from './support/v1/resource-table';
import { confine, systemFunctions } from './support/v1/row-level-security';

/** Meetings, their types, whose time they take, and the reminders; the hours that users keep. */
export class CreateMeetings1763800500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS btree_gist;
      ALTER TABLE users ADD COLUMN schedule jsonb;
      ${types}
      ${meetings}
      ${hosts}
      ${reminders}
    `);
    for (const table of ['meeting_types', 'meetings', 'meeting_hosts', 'meeting_reminders']) {
      await runner.query(confine(table));
    }
    await runner.query(systemFunctions([standardTypes, createStandardTypes]));
    await runner.query(`
      CREATE TRIGGER workspaces_standard_meeting_types AFTER INSERT ON workspaces
        FOR EACH ROW EXECUTE FUNCTION create_standard_meeting_types();
      SET LOCAL ROLE helpdesk_system;
      SELECT standard_meeting_types(id) FROM workspaces;
      RESET ROLE;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER workspaces_standard_meeting_types ON workspaces;
      SET LOCAL ROLE helpdesk_system;
      DROP FUNCTION create_standard_meeting_types();
      DROP FUNCTION standard_meeting_types(bigint);
      RESET ROLE;
      DROP TABLE meeting_reminders, meeting_hosts;
      DROP VIEW meetings_search;
      DROP TABLE meetings;
      DROP VIEW meeting_types_search;
      DROP TABLE meeting_types;
      DROP FUNCTION tally_meetings_insert(), tally_meetings_delete(), tally_meetings_update(),
        tally_meeting_types_insert(), tally_meeting_types_delete();
      ALTER TABLE users DROP COLUMN schedule;
    `);
  }
}

const types = `
  CREATE TABLE meeting_types (
    name text NOT NULL,
    slug text NOT NULL,
    description text,
    duration_minutes integer NOT NULL,
    slot_interval_minutes integer,
    buffer_before_minutes integer NOT NULL DEFAULT 0,
    buffer_after_minutes integer NOT NULL DEFAULT 0,
    minimum_notice_minutes integer NOT NULL DEFAULT 120,
    booking_window_days integer NOT NULL DEFAULT 60,
    max_per_day integer,
    location_type text NOT NULL DEFAULT 'video'
      CONSTRAINT ck_meeting_types_location_type CHECK (location_type IN ('video', 'phone', 'in_person', 'custom')),
    requires_confirmation boolean NOT NULL DEFAULT false,
    scheduling text NOT NULL DEFAULT 'single'
      CONSTRAINT ck_meeting_types_scheduling CHECK (scheduling IN ('single', 'round_robin', 'collective')),
    host_ids bigint[] NOT NULL DEFAULT '{}',
    schedule jsonb,
    seats integer NOT NULL DEFAULT 1,
    color text,
    is_active boolean NOT NULL DEFAULT true,
    ${resourceColumns}
  );
  ${resourceIndexes('meeting_types')}
  CREATE UNIQUE INDEX uq_meeting_types_slug ON meeting_types (workspace_id, slug);
  ${sortIndex('meeting_types', 'name')}
  ${sortIndex('meeting_types', 'duration_minutes')}
  CREATE INDEX meeting_types_by_is_active ON meeting_types (workspace_id, is_active, name, id);
  CREATE INDEX meeting_types_by_scheduling ON meeting_types (workspace_id, scheduling, name, id);
  ${searchable('meeting_types', `name || ' ' || slug || ' ' || coalesce(description, '')`)}
  ${tallied('meeting_types', 'meeting_types', [])}
`;

const links = ['ticket_id', 'company_id', 'contact_id', 'lead_id', 'deal_id', 'type_id'];

/** The ranks make status sort by meaning (decision 5). */
const meetings = `
  CREATE TABLE meetings (
    title text NOT NULL,
    type_id bigint,
    description text,
    starts_at timestamptz(3) NOT NULL,
    ends_at timestamptz(3) NOT NULL,
    duration_minutes integer NOT NULL CONSTRAINT ck_meetings_duration_minutes CHECK (duration_minutes BETWEEN 1 AND 1440),
    timezone text NOT NULL,
    status text NOT NULL DEFAULT 'scheduled' CONSTRAINT ck_meetings_status
      CHECK (status IN ('pending', 'scheduled', 'completed', 'cancelled', 'rejected', 'no_show')),
    status_rank smallint NOT NULL GENERATED ALWAYS AS (CASE status WHEN 'pending' THEN 1 WHEN 'scheduled' THEN 2
      WHEN 'completed' THEN 3 WHEN 'no_show' THEN 4 WHEN 'rejected' THEN 5 ELSE 6 END) STORED,
    host_id bigint NOT NULL,
    host_ids bigint[] NOT NULL,
    attendees jsonb NOT NULL DEFAULT '[]',
    attendee_emails text[] NOT NULL DEFAULT '{}',
    location_type text NOT NULL DEFAULT 'video'
      CONSTRAINT ck_meetings_location_type CHECK (location_type IN ('video', 'phone', 'in_person', 'custom')),
    location text,
    meeting_url text,
    ticket_id bigint,
    company_id bigint,
    contact_id bigint,
    lead_id bigint,
    deal_id bigint,
    cancellation_reason text,
    cancelled_by bigint,
    rescheduled_count integer NOT NULL DEFAULT 0,
    previous_starts_at timestamptz(3),
    ical_uid text NOT NULL,
    ical_sequence integer NOT NULL DEFAULT 0,
    internal_notes text,
    outcome_notes text,
    reminders jsonb NOT NULL DEFAULT '[1440, 60]',
    forced boolean NOT NULL DEFAULT false,
    buffer_before_minutes integer NOT NULL DEFAULT 0,
    buffer_after_minutes integer NOT NULL DEFAULT 0,
    concluded_at timestamptz(3),
    ${resourceColumns},
    CONSTRAINT ck_meetings_ends_at CHECK (ends_at = starts_at + make_interval(mins => duration_minutes))
  );
  ${resourceIndexes('meetings')}
  CREATE UNIQUE INDEX uq_meetings_ical_uid ON meetings (workspace_id, ical_uid);
  ${sortIndex('meetings', 'starts_at')}
  ${sortIndex('meetings', 'status_rank')}
  CREATE INDEX meetings_by_status ON meetings (workspace_id, status, starts_at, id);
  CREATE INDEX meetings_by_host_id ON meetings (workspace_id, host_id, starts_at, id);
  ${links
    .map(
      (column) =>
        `CREATE INDEX meetings_by_${column} ON meetings (workspace_id, ${column}, starts_at, id) WHERE ${column} IS NOT NULL;`,
    )
    .join('\n')}
  CREATE INDEX meetings_by_cancelled_by ON meetings (workspace_id, cancelled_by) WHERE cancelled_by IS NOT NULL;
  CREATE INDEX meetings_by_attendee ON meetings USING gin (workspace_id, attendee_emails) WITH (fastupdate = off);
  ${reference('meetings', 'type_id', 'meeting_types', 'restrict')}
  ${reference('meetings', 'host_id', 'users', 'restrict')}
  ${reference('meetings', 'cancelled_by', 'users')}
  ${reference('meetings', 'ticket_id', 'tickets')}
  ${reference('meetings', 'company_id', 'companies')}
  ${reference('meetings', 'contact_id', 'contacts')}
  ${searchable('meetings', `title || ' ' || coalesce(location, '')`)}
  ${tallied('meetings', 'meetings', ['status', 'host_id'])}
`;

/**
 * Whose time a meeting takes, buffers included: one row per host. `holds`: nobody else may have it (pending, scheduled);
 * `counts`: it counts for the day (also once it took place). Forced meetings may overlap others, so the constraint leaves
 * them out; bookings see them all the same.
 */
const hosts = `
  CREATE TABLE meeting_hosts (
    workspace_id bigint NOT NULL,
    meeting_id bigint NOT NULL,
    host_id bigint NOT NULL,
    type_id bigint,
    starts_at timestamptz(3) NOT NULL,
    blocked_from timestamptz(3) NOT NULL,
    blocked_until timestamptz(3) NOT NULL,
    holds boolean NOT NULL,
    counts boolean NOT NULL,
    forced boolean NOT NULL,
    PRIMARY KEY (workspace_id, meeting_id, host_id),
    CONSTRAINT fk_meeting_hosts_meeting_id FOREIGN KEY (workspace_id, meeting_id) REFERENCES meetings (workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_meeting_hosts_host_id FOREIGN KEY (workspace_id, host_id) REFERENCES users (workspace_id, id),
    CONSTRAINT ex_meeting_hosts_starts_at EXCLUDE USING gist
      (workspace_id WITH =, host_id WITH =, tstzrange(blocked_from, blocked_until, '[)') WITH &&) WHERE (holds AND NOT forced)
  );
  CREATE INDEX meeting_hosts_by_time ON meeting_hosts (workspace_id, host_id, blocked_from)
    INCLUDE (blocked_until, starts_at, type_id, holds, meeting_id) WHERE counts;
`;

/** Reminders to come and those given; a change of the time replaces those to come. */
const reminders = `
  CREATE TABLE meeting_reminders (
    workspace_id bigint NOT NULL,
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    meeting_id bigint NOT NULL,
    minutes integer NOT NULL,
    due_at timestamptz(3) NOT NULL,
    done_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT fk_meeting_reminders_meeting_id FOREIGN KEY (workspace_id, meeting_id) REFERENCES meetings (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX meeting_reminders_by_meeting_id ON meeting_reminders (workspace_id, meeting_id);
`;

/** Decision 6: three types to begin with. */
const standardTypes = `
  CREATE OR REPLACE FUNCTION standard_meeting_types(p_workspace_id bigint) RETURNS void LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    INSERT INTO meeting_types (workspace_id, name, slug, duration_minutes, scheduling) VALUES
      (p_workspace_id, '15-minute meeting', '15-minute-meeting', 15, 'round_robin'),
      (p_workspace_id, '30-minute meeting', '30-minute-meeting', 30, 'round_robin'),
      (p_workspace_id, '60-minute meeting', '60-minute-meeting', 60, 'round_robin');
  $$
`;

const createStandardTypes = `
  CREATE OR REPLACE FUNCTION create_standard_meeting_types() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  BEGIN
    PERFORM standard_meeting_types(NEW.id);
    RETURN NULL;
  END $$
`;
