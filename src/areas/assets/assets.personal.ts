import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

/** What somebody holds is no word of theirs; what was noted about it may name them. */
export const assetsPersonal: readonly PersonalTable[] = [
  {
    table: 'assets',
    own: { object: 'asset', of: ({ contact }) => `r.assigned_contact_id = ${contact}` },
    texts: [
      ...RESOURCE_TEXTS,
      'name',
      'asset_tag',
      'serial_number',
      'hostname',
      'location',
      'department',
      'vendor',
      'order_number',
      'invoice_number',
      'notes',
      'tags',
    ],
    free: [
      'type',
      'status',
      'manufacturer',
      'model',
      'ip_address',
      'mac_address',
      'os',
      'os_version',
      'usage_type',
      'impact',
      'currency',
    ],
  },
  {
    table: 'asset_history',
    about: [{ object: `'asset'`, id: 'r.asset_id' }],
    texts: ['from', 'to', 'note', 'actor'],
    free: ['action'],
    export: false,
  },
];
