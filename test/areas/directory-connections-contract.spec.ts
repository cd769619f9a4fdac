import { CreateConnection, UpdateConnection } from '../../src/areas/active-directory/connections/connection.dto';
import { connectionResource } from '../../src/areas/active-directory/connections/connection.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: connectionResource,
  path: () => '/active-directory/connections',
  bodies: { create: CreateConnection, update: UpdateConnection },
  create: (serial) => ({
    type: 'json',
    name: `Directory ${serial}`,
    status: serial % 3 ? 'active' : 'disabled',
    config: {},
    role_mappings: [{ group: 'CN=Helpdesk', role: 'agent', include_nested: false }],
    users_without_mapping: 'skip',
    deprovision: 'suspend',
    preserve_manual_roles: false,
    schedule_minutes: null,
    full_sync_hours: 12,
    safety: { max_deactivations_pct: 5, max_deactivations_abs: 10 },
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    status: 'disabled',
    role_mappings: [],
    users_without_mapping: 'light_agent',
    deprovision: 'none',
    preserve_manual_roles: true,
    full_sync_hours: 48,
    safety: { max_deactivations_pct: 1, max_deactivations_abs: 2 },
  }),
  required: ['type', 'name'],
  invalid: {
    type: ['ldap9', 7],
    name: ['', 7, 'x'.repeat(121)],
    status: ['error', 7],
    config: [7, { colour: 'red' }],
    role_mappings: [7, [{}], [{ group: 'x', role: 'owner' }], [{ group: '', role: 'agent' }]],
    deprovision: ['delete'],
    schedule_minutes: [1, 'x'],
    full_sync_hours: [0, 721],
    safety: [7, { max_deactivations_pct: 101 }],
  },
});
