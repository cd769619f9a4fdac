import { CreateSearch1763800600000 } from '../../../migrations/1763800600000-create-search';
import { BoundFolding1763900100000 } from '../../../migrations/1763900100000-bound-folding';
import { MoreListsAreSearched1768992040000 } from '../../../migrations/1768992040000-more-lists-are-searched';
import { defineArea } from '../../platform/area/area';
import { SearchModule } from './search.module';
import { searchPersonal } from './search.personal';

/** One question to everything at once. */
export const searchArea = defineArea({
  name: 'search',
  module: SearchModule,
  migrations: [CreateSearch1763800600000, BoundFolding1763900100000, MoreListsAreSearched1768992040000],
  permissions: [{ name: 'search.read', description: 'Search what one may see.', from: 'everyone' }],
  personal: searchPersonal,
  tags: [{ name: 'Search', place: 160, description: 'One question to everything at once.' }],
  examples: {
    'search.get': { q: 'printer' },
  },
});
