import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** That somebody was erased, when and by whom, and nothing of them. */
export const privacyPersonal: readonly PersonalTable[] = [
  { table: 'erasures', texts: [...RESOURCE_TEXTS], free: ['status', 'actor', 'progress'], sealed: ['person'] },
  { table: 'retention_runs', texts: [...RESOURCE_TEXTS], free: ['rule', 'status'] },
];
