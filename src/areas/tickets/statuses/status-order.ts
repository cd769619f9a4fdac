import type { SortSpec } from '../../../platform/resource/resource';
import { MAX_SORTED } from '../../../platform/fields/field-sort';

/** Tickets in the order of their custom statuses; `status` has an index, this has none. */
export const byPlaceOfStatus: SortSpec & { column: 'custom_status_id' } = {
  column: 'custom_status_id',
  type: 'integer',
  nullable: true,
  most: MAX_SORTED,
  expression: (row) =>
    `(SELECT x.position FROM ticket_statuses x WHERE x.workspace_id = ${row}.workspace_id AND x.id = ${row}.custom_status_id)`,
};
