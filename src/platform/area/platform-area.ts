import { CreatePlatform1763600000000 } from '../../../migrations/1763600000000-create-platform';
import { CreateEvents1763600100000 } from '../../../migrations/1763600100000-create-events';
import { CreateWork1763700000000 } from '../../../migrations/1763700000000-create-work';
import { AnnounceUsage1763700050000 } from '../../../migrations/1763700050000-announce-usage';
import { RedactEvents1764100100000 } from '../../../migrations/1764100100000-redact-events';
import { RunTriggersAsSystem1764200200000 } from '../../../migrations/1764200200000-run-triggers-as-system';
import { HoldRedactedEvents1764200300000 } from '../../../migrations/1764200300000-hold-redacted-events';
import { SearchByWords1764300000000 } from '../../../migrations/1764300000000-search-by-words';
import { SortsByIndexAlone1764400200000 } from '../../../migrations/1764400200000-sorts-by-index-alone';
import { TermsInPlpgsql1764500000000 } from '../../../migrations/1764500000000-terms-in-plpgsql';
import { FoldByPlace1764600000000 } from '../../../migrations/1764600000000-fold-by-place';
import { CreateSandboxes1765700000000 } from '../../../migrations/1765700000000-create-sandboxes';
import { RememberMovedClocks1766050000000 } from '../../../migrations/1766050000000-remember-moved-clocks';
import { TextsInOrder1768950000000 } from '../../../migrations/1768950000000-texts-in-order';
import { AnswersByEvent1767000000000 } from '../../../migrations/1767000000000-answers-by-event';
import { WordsAreIndexedSoon1768991600000 } from '../../../migrations/1768991600000-words-are-indexed-soon';
import { RecordsOfEventsForget1768992060000 } from '../../../migrations/1768992060000-records-of-events-forget';
import { EventsAreCountedByTheirIndex1768992100000 } from '../../../migrations/1768992100000-events-are-counted-by-their-index';
import { accountEntities } from '../auth/account-entities';
import { defineArea } from './area';
import { platformPersonal } from './platform-personal';

/** What the platform itself brings along: accounts, and what tells of them. Every program has it, after its areas. */
export const platformArea = defineArea({
  name: 'platform',
  entities: accountEntities,
  migrations: [
    CreatePlatform1763600000000,
    CreateEvents1763600100000,
    CreateWork1763700000000,
    AnnounceUsage1763700050000,
    RedactEvents1764100100000,
    RunTriggersAsSystem1764200200000,
    HoldRedactedEvents1764200300000,
    SearchByWords1764300000000,
    SortsByIndexAlone1764400200000,
    TermsInPlpgsql1764500000000,
    FoldByPlace1764600000000,
    CreateSandboxes1765700000000,
    RememberMovedClocks1766050000000,
    AnswersByEvent1767000000000,
    TextsInOrder1768950000000,
    WordsAreIndexedSoon1768991600000,
    RecordsOfEventsForget1768992060000,
    EventsAreCountedByTheirIndex1768992100000,
  ],
  personal: platformPersonal,
  events: {
    domain: 'system',
    label: 'System',
    events: {
      'quota.warning': 'More than 80 % of the monthly quota is used.',
      'quota.exceeded': 'The monthly quota is used up.',
      'workspace.updated': 'Name, zone, language, currency or rules of the workspace were changed.',
      'token.created': 'A token was issued.',
      'token.revoked': 'A token was revoked.',
      'sandbox.clock_moved': 'The clock of the sandbox was moved.',
      'sandbox.reset': 'The sandbox was emptied and begun anew.',
    },
  },
});
