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
];
