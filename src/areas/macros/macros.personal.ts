import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const macrosPersonal: readonly PersonalTable[] = [
  { table: 'macros', texts: [...RESOURCE_TEXTS, 'name', 'description', 'actions'], free: ['sharing'] },
  {
    table: 'bulk_jobs',
    texts: [...RESOURCE_TEXTS, 'actions', 'macro_name', 'filter', 'actor', 'acting'],
    free: ['kind', 'status'],
  },
  {
    table: 'bulk_job_items',
    key: ['job_id', 'ticket_id'],
    about: [{ object: `'ticket'`, id: 'r.ticket_id' }],
    // What a ticket was before is a copy of it; without it nothing is to be undone.
    erase: { changes: null },
    texts: ['error', 'changes'],
    free: ['state'],
    copy: true,
  },
];
