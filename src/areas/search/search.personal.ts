import type { PersonalTable } from '../../platform/area/personal';

export const searchPersonal: readonly PersonalTable[] = [
  { table: 'search_words', words: 'word' },
  { table: 'search_progress', free: ['source'] },
];
