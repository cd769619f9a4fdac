import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { currentSight, demandWholeSight } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { fail, invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { Related } from '../../platform/events/event-rows';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { placeBehind } from '../../platform/resource/last-place';
import { isReadable } from '../../platform/resource/read/sight';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { addressesOf } from '../automations/action-catalogue';
import { type Applied, AppliedActions } from '../automations/engine/applied-actions';
import { actionsIn, TicketActions } from '../sla/ticket-actions';
import { TicketMacros } from '../tickets/ticket-macros';
import { TicketsService } from '../tickets/tickets.service';
import { settleSharing } from '../users/sharing';
import type { CreateMacro, MacroOutcome, UpdateMacro } from './macro.dto';
import { Macro } from './macro.entity';
import { macroResource } from './macro.resource';

const WHOLE =
  'Others apply a shared macro to tickets of theirs; only those whose ticket scope is "all" may have it call, write to or notify whom they choose.';

/** What of a macro tells that it was applied. */
export type NamedMacro = Pick<Macro, 'name' | 'actions'> & { id: number | null };

@Injectable()
export class MacrosService extends TicketMacros implements OnModuleInit {
  constructor(
    @InjectStore(Macro) private readonly macros: Store<Macro>,
    private readonly tickets: TicketsService,
    private readonly database: Database,
    private readonly rules: TicketActions,
    private readonly applied: AppliedActions,
  ) {
    super();
  }

  onModuleInit(): void {
    this.rules.keepSealed(actionsIn(this.macros));
  }

  create(body: CreateMacro): Promise<SingleResult> {
    return this.macros.create(body, async (values) => {
      settleSharing(values, null);
      values.actions = await this.rules.check('actions', body.actions);
      requireOwnAddresses(values, null);
      values.position ??= await placeBehind(this.database, 'macros');
      return undefined;
    });
  }

  update(id: number, body: UpdateMacro, expected: ExpectedVersions): Promise<SingleResult> {
    return this.macros.update(id, body, expected, async (before, values) => {
      settleSharing(values, before);
      if (values.actions !== undefined) values.actions = await this.rules.check('actions', values.actions);
      requireOwnAddresses(values, before);
      return { values };
    });
  }

  /** Applies a macro to a ticket as the caller, all of it or nothing; or tells what that would do. */
  async apply(ticketId: number, id: number, expected: ExpectedVersions, preview = false): Promise<MacroOutcome> {
    await this.tickets.require(ticketId);
    const macro = mayRead() ? await this.macros.whole(id) : this.macros.missing(id);
    if (!preview) requireActive(macro);
    const application = { ticketId, name: macro.name, actions: macro.actions, expected };
    if (preview) return outcomeOf(macro, await this.applied.preview(application), true);
    const turns = await this.applied.turns(ticketId, macro.actions);
    return this.database.transaction(async () => {
      const applied = await this.perform(macro, { ...application, turns });
      await this.count(id, 1);
      return outcomeOf(macro, applied, false);
    });
  }

  async applyTo(ticketId: number, macroId: number, expected: ExpectedVersions): Promise<SingleResult> {
    await this.apply(ticketId, macroId, expected);
    return this.tickets.shown(ticketId);
  }

  /** The same for one of many tickets, by what the macro was when they were chosen; in the open unit of work. */
  async perform(macro: NamedMacro, application: Parameters<AppliedActions['apply']>[0]): Promise<Applied> {
    await this.tickets.require(application.ticketId);
    const applied = await this.applied.apply(application);
    const related: Related = {
      macro: { id: macro.id, name: macro.name },
      actions: applied.actions.map(({ type, status }) => ({ type, status })),
      changes: applied.changes,
    };
    if (macro.id !== null) await this.tickets.tell(application.ticketId, 'ticket.macro_applied', related);
    return applied;
  }

  /** An active macro that the caller may see. 422 for the field otherwise. */
  async named(id: number, field: string): Promise<Macro> {
    const macro = mayRead() ? await this.database.transaction(() => this.macros.find(id)) : null;
    if (!macro) invalid(field, 'not_found', `"${field}" names a macro that does not exist.`);
    if (!macro.is_active) invalid(field, 'inactive', `"${field}" names a macro that is not active.`);
    return this.macros.whole(id);
  }

  /** Uses are counted without a version: they change nothing. */
  async count(id: number, uses: number): Promise<void> {
    await this.database.query(
      `UPDATE macros SET use_count = use_count + $3, last_used_at = now() WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id, uses],
    );
  }
}

/** Others apply what is shared, to tickets that whoever wrote it need not see. */
function requireOwnAddresses(values: Values<Macro>, before: Row<Macro> | null): void {
  const { sharing, actions = [] } = { ...before, ...values };
  if (sharing === 'private') return;
  const known = before === null || before.sharing === 'private' ? [] : addressesOf(before.actions);
  if (addressesOf(actions).some((address) => !known.includes(address))) demandWholeSight(WHOLE);
}

/** Whether the role lets the caller see macros at all. */
function mayRead(): boolean {
  return isReadable(macroResource, currentSight());
}

function requireActive({ is_active: isActive }: Macro): void {
  if (!isActive) fail('conflict', 'The macro is not active.');
}

function outcomeOf(
  { id, name }: Macro,
  { ticket, changes, comments, actions }: Applied,
  preview: boolean,
): MacroOutcome {
  return {
    preview,
    macro: { id, name },
    changes,
    comments,
    actions: actions.map(({ type, status, before, after, error }) => ({ type, status, before, after, error })),
    ticket,
  };
}
