import type { PersonalTable } from '../../platform/area/personal';

export const metaPersonal: readonly PersonalTable[] = [{ table: 'ticket_stat_deltas', free: ['measures'] }];
