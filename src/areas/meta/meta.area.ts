import { CreateStats1763800700000 } from '../../../migrations/1763800700000-create-stats';
import { TallyMonthsOfTeams1764400600000 } from '../../../migrations/1764400600000-tally-months-of-teams';
import { FillMonthsOfTeams1764400600100 } from '../../../migrations/1764400600100-fill-months-of-teams';
import { CountMonthsOfTickets1768992080000 } from '../../../migrations/1768992080000-count-months-of-tickets';
import { FillMonthsOfTickets1768992080100 } from '../../../migrations/1768992080100-fill-months-of-tickets';
import { defineArea } from '../../platform/area/area';
import { MetaModule } from './meta.module';
import { metaPersonal } from './meta.personal';

/** The service itself, the identity of the token, and figures of the workspace. */
export const metaArea = defineArea({
  name: 'meta',
  module: MetaModule,
  migrations: [
    CreateStats1763800700000,
    TallyMonthsOfTeams1764400600000,
    FillMonthsOfTeams1764400600100,
    CountMonthsOfTickets1768992080000,
    FillMonthsOfTickets1768992080100,
  ],
  permissions: [
    { name: 'me.read', description: 'See who one is, and what one may.', from: 'everyone' },
    { name: 'stats.read', description: 'See figures of the tickets that one sees.', from: 'agent' },
  ],
  personal: metaPersonal,
  tags: [
    {
      name: 'Meta',
      place: 190,
      description: 'The service itself, the identity of the token, and figures of the workspace.',
    },
  ],
});
