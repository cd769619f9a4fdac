import { CreateCustomStatus, UpdateCustomStatus } from '../../src/areas/tickets/statuses/custom-status.dto';
import { customStatusResource } from '../../src/areas/tickets/statuses/custom-status.resource';
import { TICKET_STATUSES } from '../../src/areas/tickets/ticket-values';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: customStatusResource,
  path: () => '/ticket-statuses',
  bodies: { create: CreateCustomStatus, update: UpdateCustomStatus },
  create: (serial) => ({
    name: `Status ${serial % 7} ${serial}`,
    description: serial % 2 ? `Number ${serial}` : null,
    status: TICKET_STATUSES[serial % 5],
    color: serial % 3 ? '#3366FF' : null,
    is_active: serial % 3 !== 0,
    ...(serial % 2 ? { position: serial % 10 } : {}),
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    description: 'Other',
    color: '#000000',
    position: serial,
    is_active: true,
  }),
  required: ['name', 'status'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(121)],
    description: [7, 'x'.repeat(2_001)],
    status: ['', 7, 'new'],
    color: ['red', 7, '#12345'],
    is_default: ['yes', 1],
    position: [-1, 1.5, '1', 1_000_001],
    is_active: ['yes', 1],
  },
  arrange: (sql, workspaceId) =>
    sql.rows(
      `UPDATE ticket_statuses SET is_default = true
       WHERE id IN (SELECT min(id) FROM ticket_statuses WHERE workspace_id = $1 AND is_active GROUP BY status)`,
      [workspaceId],
    ),
});
