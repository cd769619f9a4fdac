import type { MigrationInterface } from 'typeorm';
import { CreatePlatform1763600000000 } from './1763600000000-create-platform';
import { CreateEvents1763600100000 } from './1763600100000-create-events';
import { CreateSlaPolicies1763600200000 } from './1763600200000-create-sla-policies';
import { CreateTeamsAndUsers1763600300000 } from './1763600300000-create-teams-and-users';
import { CreateCompaniesAndContacts1763600400000 } from './1763600400000-create-companies-and-contacts';
import { CreateCategories1763600500000 } from './1763600500000-create-categories';
import { CreateTickets1763600600000 } from './1763600600000-create-tickets';
import { CreateWork1763700000000 } from './1763700000000-create-work';
import { AnnounceUsage1763700050000 } from './1763700050000-announce-usage';
import { CreateWebhooks1763700100000 } from './1763700100000-create-webhooks';
import { CreateSlaClocks1763700200000 } from './1763700200000-create-sla-clocks';
import { CreateAutomations1763700300000 } from './1763700300000-create-automations';
import { CreateIntegrations1763700400000 } from './1763700400000-create-integrations';
import { NumberAssetsAndQuotes1763800000000 } from './1763800000000-number-assets-and-quotes';
import { CreateKb1763800100000 } from './1763800100000-create-kb';
import { CreateAssets1763800200000 } from './1763800200000-create-assets';
import { CreateCrm1763800300000 } from './1763800300000-create-crm';
import { CreateQuotes1763800400000 } from './1763800400000-create-quotes';
import { CreateMeetings1763800500000 } from './1763800500000-create-meetings';
import { CreateSearch1763800600000 } from './1763800600000-create-search';
import { CreateStats1763800700000 } from './1763800700000-create-stats';
import { CreateRatings1763800750000 } from './1763800750000-create-ratings';
import { CreateAuditLog1763800800000 } from './1763800800000-create-audit-log';
import { LinkAreas1763800900000 } from './1763800900000-link-areas';
import { BoundFolding1763900100000 } from './1763900100000-bound-folding';
import { ShareTickets1764100000000 } from './1764100000000-share-tickets';
import { RedactEvents1764100100000 } from './1764100100000-redact-events';
import { RunTriggersAsSystem1764200200000 } from './1764200200000-run-triggers-as-system';
import { HoldRedactedEvents1764200300000 } from './1764200300000-hold-redacted-events';

/** Every migration, oldest first: one line each, no globs. */
export const migrations: (new () => MigrationInterface)[] = [
  CreatePlatform1763600000000,
  CreateEvents1763600100000,
  CreateSlaPolicies1763600200000,
  CreateTeamsAndUsers1763600300000,
  CreateCompaniesAndContacts1763600400000,
  CreateCategories1763600500000,
  CreateTickets1763600600000,
  CreateWork1763700000000,
  AnnounceUsage1763700050000,
  CreateWebhooks1763700100000,
  CreateSlaClocks1763700200000,
  CreateAutomations1763700300000,
  CreateIntegrations1763700400000,
  NumberAssetsAndQuotes1763800000000,
  CreateKb1763800100000,
  CreateAssets1763800200000,
  CreateCrm1763800300000,
  CreateQuotes1763800400000,
  CreateMeetings1763800500000,
  CreateSearch1763800600000,
  CreateStats1763800700000,
  CreateRatings1763800750000,
  CreateAuditLog1763800800000,
  LinkAreas1763800900000,
  BoundFolding1763900100000,
  ShareTickets1764100000000,
  RedactEvents1764100100000,
  RunTriggersAsSystem1764200200000,
  HoldRedactedEvents1764200300000,
];
