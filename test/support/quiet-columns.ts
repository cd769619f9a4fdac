/** Columns that count or remember without being a change of the record, as the area says of each. */
export const QUIET: Readonly<Record<string, readonly string[]>> = {
  automations: ['run_count', 'last_run_at', 'last_error', 'next_run_at'],
  webhooks: ['failure_count', 'last_delivery_at', 'last_success_at', 'last_failure_at'],
  erasures: ['pass', 'stage', 'stage_count', 'record_count', 'change_count', 'left_count', 'person', 'progress'],
  ...{ channel_messages: ['attempts'], bulk_jobs: ['done_count', 'unchanged_count', 'failed_count'] },
  ...{ exports: ['progress', 'record_count', 'size_bytes'], retention_runs: ['deleted_count'] },
  migration_jobs: ['place', 'pages', 'tally', 'total', 'processed', 'active_ms', 'touched_at'],
  ...{ canned_responses: ['use_count', 'last_used_at'], macros: ['use_count', 'last_used_at'] },
  ...{ directory_users: ['name_key'], directory_groups: ['name_key'] },
  kb_articles: ['view_count', 'helpful_count', 'not_helpful_count'],
};
