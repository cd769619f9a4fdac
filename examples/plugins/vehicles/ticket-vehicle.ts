import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Ticket } from 'helpdesk-api/areas/tickets/ticket.entity';
import { currentWorkspaceId } from 'helpdesk-api/platform/context/current';
import { Database } from 'helpdesk-api/platform/database/database';
import type { WorkspaceRepository } from 'helpdesk-api/platform/database/workspace-repository';
import { InjectWorkspaceRepository } from 'helpdesk-api/platform/database/workspace-repository.module';
import { invalid } from 'helpdesk-api/platform/errors/api-error';
import { type Hooks, ResourceHooks } from 'helpdesk-api/platform/resource/hooks';
import type { Row, Values } from 'helpdesk-api/platform/resource/rows';
import { Store } from 'helpdesk-api/platform/resource/store';
import { InjectStore } from 'helpdesk-api/platform/resource/store.module';
import { Vehicle } from './vehicle.entity';

/** A ticket whose subject tells a number plate is about that vehicle; the vehicle is free again once it is resolved. */
@Injectable()
export class TicketVehicle implements Hooks<Ticket>, OnModuleInit {
  constructor(
    private readonly hooks: ResourceHooks,
    private readonly database: Database,
    @InjectWorkspaceRepository(Vehicle) private readonly known: WorkspaceRepository<Vehicle>,
    @InjectStore(Vehicle) private readonly vehicles: Store<Vehicle>,
  ) {}

  onModuleInit(): void {
    this.hooks.on(Ticket, this);
  }

  async beforeCreate(values: Values<Ticket>): Promise<Values<Ticket>> {
    if (values.vehicles_vehicle_id) return values;
    const id = await this.named(values.subject ?? '');
    return id === null ? values : { ...values, vehicles_vehicle_id: id };
  }

  async beforeUpdate(_before: Row<Ticket>, values: Values<Ticket>): Promise<Values<Ticket>> {
    if (values.vehicles_vehicle_id) {
      const broken = await this.known.findOneBy({ id: values.vehicles_vehicle_id, status: 'broken' });
      if (broken) invalid('vehicles_vehicle_id', 'not_allowed', `${broken.plate} is broken; send another vehicle.`);
    }
    return values;
  }

  async afterUpdate(before: Row<Ticket>, after: Row<Ticket>): Promise<void> {
    if (before.status === after.status || after.status !== 'resolved' || after.vehicles_vehicle_id === null) return;
    const vehicle = await this.vehicles.lock(after.vehicles_vehicle_id);
    if (vehicle.status === 'on_the_road') await this.vehicles.apply(vehicle, { values: { status: 'free' } });
  }

  private async named(subject: string): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(
      `SELECT id FROM vehicles WHERE workspace_id = $1 AND position(lower(plate) IN lower($2)) > 0 ORDER BY id LIMIT 1`,
      [currentWorkspaceId(), subject],
    );
    return row?.id ?? null;
  }
}
