import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const responsesPersonal: readonly PersonalTable[] = [
  {
    table: 'canned_responses',
    texts: [...RESOURCE_TEXTS, 'title', 'body', 'shortcut', 'folder', 'tags'],
    free: ['sharing'],
  },
];
