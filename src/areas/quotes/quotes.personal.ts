import { visitor } from '../../platform/area/personal-copies';
import { ERASED, type PersonalRow, type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';
import { isRecord } from '../../platform/text/json';

/** Quotes are kept as business papers: numbers, items and terms stay, who received and accepted them does not. */
export const quotesPersonal: readonly PersonalTable[] = [
  {
    table: 'quotes',
    own: {
      object: 'quote',
      of: ({ contact, emails }) =>
        `(r.contact_id = ${contact} OR (r.contact_id IS NULL AND lower(r.recipient_email) = ANY(${emails})))`,
      erase: {
        recipient_email: null,
        rejection_reason: null,
        accepted_by: { name: ERASED, email: null, ip: null },
      },
    },
    texts: [
      ...RESOURCE_TEXTS,
      'title',
      'recipient_email',
      'terms',
      'notes',
      'header',
      'footer',
      'rejection_reason',
      'accepted_by',
      'parties',
    ],
    free: ['number', 'status', 'currency', 'tax_mode', 'discount', 'public_url'],
  },
  {
    table: 'quote_items',
    about: [{ object: `'quote'`, id: 'r.quote_id' }],
    texts: [...RESOURCE_TEXTS, 'sku', 'name', 'description', 'unit'],
  },
  {
    table: 'quote_events',
    about: [{ object: `'quote'`, id: 'r.quote_id' }],
    texts: ['actor', 'data'],
    free: ['type', 'from_status', 'to_status'],
    rule: said,
  },
];

/** Why it was rejected, and who accepted it, as whoever received it said. */
function said(row: PersonalRow): void {
  visitor(row);
  const { values, about } = row;
  if (!about[0] || !isRecord(values.data)) return;
  const { reason, accepted_by: acceptedBy, ...rest } = values.data;
  values.data = {
    ...rest,
    ...(reason === undefined ? {} : { reason: null }),
    ...(acceptedBy === undefined ? {} : { accepted_by: { name: ERASED, email: null, ip: null } }),
  };
}
