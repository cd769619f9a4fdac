import { CreateRole, UpdateRole } from '../../src/areas/users/roles/role.dto';
import { roleResource } from '../../src/areas/users/roles/role.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: roleResource,
  path: () => '/roles',
  bodies: { create: CreateRole, update: UpdateRole },
  create: (serial) => ({
    name: `Role ${serial % 7} ${serial}`,
    description: serial % 3 ? `Number ${serial}` : null,
    permissions: serial % 2 ? ['tickets.read', 'tickets.comment'] : ['kb.read'],
    ticket_scope: ['all', 'teams', 'assigned'][serial % 3],
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    permissions: ['crm.read', 'quotes.read'],
    ticket_scope: 'teams',
  }),
  required: ['name'],
  invalid: {
    name: ['', '   ', 7, null, 'x'.repeat(121)],
    description: [7, 'x'.repeat(2_001)],
    permissions: ['tickets.read', ['no.such'], [7], [''], ['kb.read', 'kb.read']],
    ticket_scope: ['own', 7],
  },
  filters: () => ({
    permission: { text: 'kb.read,crm.read', test: (row) => (row.permissions as string[]).includes('kb.read') },
  }),
});
