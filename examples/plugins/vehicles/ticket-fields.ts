import { Ticket } from 'helpdesk-api/areas/tickets/ticket.entity';
import { ReferenceColumn } from 'helpdesk-api/platform/columns/columns';
import type { ExtraFields } from 'helpdesk-api/platform/area/extra-fields';

declare module 'helpdesk-api/areas/tickets/ticket.entity' {
  /** What every `Row<Ticket>` and `Values<Ticket>` has besides. */
  interface Ticket {
    vehicles_vehicle_id: number | null;
  }
}

/** The vehicle that a ticket is about, or that is on its way because of it. */
export const ticketFields: ExtraFields = {
  entity: Ticket,
  columns: { vehicles_vehicle_id: ReferenceColumn('vehicles', { nullable: true, description: 'Its vehicle.' }) },
  filter: ['vehicles_vehicle_id'],
};
