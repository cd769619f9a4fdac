import { type ClsStore, ClsServiceManager } from 'nestjs-cls';
import type { Access } from './access';
import type { Principal } from './principal';
import type { Actor } from './actor';
import { type Causation, NO_CAUSE } from './causation';
import type { Transaction } from '../postgres/transaction';
import { fail } from '../errors/api-error';

export type { Actor };

/** What belongs to the request or job being worked on. */
export interface Context extends ClsStore {
  requestId: string;
  /** Who is calling; null before the bearer guard, on public routes and in jobs. */
  principal: Principal | null;
  /** What the bearer token stands for: workspace, account and plan; null before the bearer guard, on public routes and in jobs. */
  access: Access | null;
  /** Workspace that every statement is confined to; null only on public routes. */
  workspaceId: number | null;
  actor: Actor;
  /** How far the clock of the workspace is ahead of the real one, in ms; 0 unless it is a sandbox that was moved. */
  clockAheadMs: number;
  /** Monthly usage as the client will read it, this call included; null when nothing was counted. */
  quotaUsed: number | null;
  /** The limit of the route, where it has one in place of the plan's: requests in any so many seconds. */
  ownRate: { limit: number; seconds: number } | null;
  /** Requests left in the current 60 seconds, or in those of `ownRate`; null when there is no limit or none was checked. */
  rateRemaining: number | null;
  /** Whole seconds until `rateRemaining` grows again; 0 when nothing of the limit is used. */
  rateResetSeconds: number;
  /** The open unit of work, if any. */
  transaction: Transaction | null;
  /** Address of the client; null in jobs. */
  clientAddress: string | null;
  /** Causation of the events written here (set by automations and by webhook call-backs). */
  causation: Causation;
}

/** The service that whoever injects `ClsService<Context>` is given. */
const cls = ClsServiceManager.getClsService<Context>();

/** Runs `work` inside `context`. */
export function runInContext<T>(context: Context, work: () => T): T {
  return cls.runWith(context, work);
}

/** The current context; throws when code runs outside a request or job. */
export function current(): Context {
  const context = currentOrNone();
  if (!context)
    throw new Error('No request or job context: wrap the work in runInContext() or Database.inWorkspace().');
  return context;
}

/** The current context, or undefined outside requests and jobs. */
export function currentOrNone(): Context | undefined {
  const context: Context | undefined = cls.get();
  return context;
}

/** The workspace of the current request or job. */
export function currentWorkspaceId(): number {
  const { workspaceId } = current();
  if (workspaceId === null) fail('unauthorized', 'A valid bearer token is required.');
  return workspaceId;
}

/** The access record of the current request; 401 outside an authenticated request. */
export function currentAccess(): Access {
  return current().access ?? fail('unauthorized', 'A valid bearer token is required.');
}

/** The caller under another name: what a link knew of them was found out later. */
export function callingAs(actor: Actor): Principal {
  const { principal } = current();
  return principal ? { ...principal, actor } : fail('unauthorized', 'A valid bearer token or link is required.');
}

/** A fresh context, e.g. for a request that has just arrived. */
export function newContext(requestId: string, overrides: Partial<Context> = {}): Context {
  return {
    requestId,
    principal: null,
    access: null,
    workspaceId: null,
    actor: { type: 'system', id: null, name: 'system' },
    clockAheadMs: 0,
    quotaUsed: null,
    ownRate: null,
    rateRemaining: null,
    rateResetSeconds: 0,
    transaction: null,
    clientAddress: null,
    causation: NO_CAUSE,
    ...overrides,
  };
}
