import type { EntityClass } from '../database/data-source';
import { App } from './app.entity';
import { Developer } from './developer.entity';
import { Plan } from './plan.entity';
import { Subscription } from './subscription.entity';
import { Tenant } from './tenant.entity';
import { Token } from './token.entity';
import { Workspace } from './workspace.entity';

/** Who may use the service: all that the `helpdesk` command works with. */
export const accountEntities: readonly EntityClass[] = [Developer, Tenant, Workspace, App, Plan, Subscription, Token];
