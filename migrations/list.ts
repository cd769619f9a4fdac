import type { MigrationInterface } from 'typeorm';
import { CreatePlatform1763600000000 } from './1763600000000-create-platform';
import { CreateEvents1763600100000 } from './1763600100000-create-events';
import { CreateSlaPolicies1763600200000 } from './1763600200000-create-sla-policies';
import { CreateTeamsAndUsers1763600300000 } from './1763600300000-create-teams-and-users';
import { CreateCompaniesAndContacts1763600400000 } from './1763600400000-create-companies-and-contacts';
import { CreateCategories1763600500000 } from './1763600500000-create-categories';
import { CreateTickets1763600600000 } from './1763600600000-create-tickets';

/** Every migration, oldest first: one line each, no globs. */
export const migrations: (new () => MigrationInterface)[] = [
  CreatePlatform1763600000000,
  CreateEvents1763600100000,
  CreateSlaPolicies1763600200000,
  CreateTeamsAndUsers1763600300000,
  CreateCompaniesAndContacts1763600400000,
  CreateCategories1763600500000,
  CreateTickets1763600600000,
];
