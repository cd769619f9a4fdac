import { CreateCompaniesAndContacts1763600400000 } from '../../../migrations/1763600400000-create-companies-and-contacts';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { CompaniesModule } from './companies.module';
import { companyResource } from './company.resource';
import { companySearch } from './company-search';
import { companiesPersonal } from './companies.personal';

/** Organisations that requesters belong to. */
export const companiesArea = defineArea({
  name: 'companies',
  module: CompaniesModule,
  resources: [companyResource],
  migrations: [CreateCompaniesAndContacts1763600400000],
  permissions: usualPermissions('companies', 'companies', {
    read: 'light_agent',
    create: 'agent',
    update: 'agent',
    delete: 'supervisor',
  }),
  personal: companiesPersonal,
  events: {
    domain: 'company',
    label: 'Companies and contacts',
    events: changesOf('company', 'A company'),
  },
  search: [companySearch],
  stats: [{ resource: companyResource, place: 10, example: 41 }],
  tags: [{ name: 'Companies', place: 20, description: 'Organisations that requesters belong to.' }],
  examples: {
    'companies.delete': { id: 12 },
  },
});
