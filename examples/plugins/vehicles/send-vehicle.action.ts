import { Injectable } from '@nestjs/common';
import { Ticket } from 'helpdesk-api/areas/tickets/ticket.entity';
import { TemplateArgument } from 'helpdesk-api/platform/area/arguments';
import type {
  ActionContext,
  ActionExecutor,
  ActionPerformer,
  ActionWith,
  RuleAction,
} from 'helpdesk-api/platform/area/rules';
import { currentWorkspaceId } from 'helpdesk-api/platform/context/current';
import { Database } from 'helpdesk-api/platform/database/database';
import { fail } from 'helpdesk-api/platform/errors/api-error';
import { Store } from 'helpdesk-api/platform/resource/store';
import { InjectStore } from 'helpdesk-api/platform/resource/store.module';
import { Vehicle } from './vehicle.entity';

/** What it takes. */
class SendVehicleParameters {
  @TemplateArgument({ max: 120, description: 'Only vehicles of this model.' })
  model?: string;
}

/** What rules are told of it. */
export const sendVehicle: RuleAction = {
  type: 'send_vehicle',
  label: 'Send a vehicle',
  kind: 'field',
  parameters: SendVehicleParameters,
};

/** Sends the free vehicle with the least mileage to the customer of a ticket. */
@Injectable()
export class SendVehicle implements ActionPerformer {
  readonly executors: readonly ActionExecutor[] = [
    {
      type: 'send_vehicle',
      kind: 'direct',
      objects: ['ticket'],
      execute: ({ model }: ActionWith<SendVehicleParameters>, context) => this.send(model, context),
    },
  ];

  constructor(
    private readonly database: Database,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    @InjectStore(Vehicle) private readonly vehicles: Store<Vehicle>,
  ) {}

  private async send(model: string | undefined, { objectId }: ActionContext): Promise<void> {
    const [free] = await this.database.query<{ id: number }>(
      `SELECT id FROM vehicles WHERE workspace_id = $1 AND status = 'free' AND ($2::text IS NULL OR model = $2)
       ORDER BY mileage, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [currentWorkspaceId(), model ?? null],
    );
    if (!free) fail('validation_error', 'No vehicle is free.');
    await this.vehicles.apply(await this.vehicles.lock(free.id), { values: { status: 'on_the_road' } });
    await this.tickets.apply(await this.tickets.lock(objectId), { values: { vehicles_vehicle_id: free.id } });
  }
}
