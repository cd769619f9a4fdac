import { type About, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** What a record of a source became, as events call it. */
const ofLocal: About = {
  object:
    `CASE r.entity WHEN 'contacts' THEN 'contact' WHEN 'tickets' THEN 'ticket' WHEN 'ticket_comments' THEN 'ticket_comment' ` +
    `WHEN 'companies' THEN 'company' WHEN 'users' THEN 'user' ELSE r.entity END`,
  id: 'r.local_id',
};

/** Files are rewritten by nobody: `MigrationErasure` takes them away. */
export const migrationPersonal: readonly PersonalTable[] = [
  {
    table: 'migration_jobs',
    texts: [...RESOURCE_TEXTS, 'name', 'mapping', 'validation', 'last_error'],
    free: [
      ...['source', 'status', 'mode', 'connection', 'sealed', 'origin', 'since', 'read_until'],
      ...['entities', 'options', 'place', 'tally'],
    ],
  },
  {
    table: 'migration_files',
    key: ['job_id', 'entity'],
    texts: ['filename', 'columns'],
    free: ['storage_key', 'sha256', 'format', 'encoding', 'delimiter', 'entity'],
  },
  {
    table: 'migration_records',
    about: [ofLocal],
    erase: { payload: null, said: null, changes: null, source_url: null },
    texts: ['external_id', 'source_url', 'error', 'warnings', 'payload', 'changes'],
    free: ['entity', 'status', 'said', 'matched_by'],
  },
  { table: 'migration_logs', texts: ['message', 'data'], free: ['level', 'entity'] },
];
