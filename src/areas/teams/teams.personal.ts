import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const teamsPersonal: readonly PersonalTable[] = [
  { table: 'teams', texts: [...RESOURCE_TEXTS, 'name', 'description', 'signature'], free: ['assignment'] },
];
