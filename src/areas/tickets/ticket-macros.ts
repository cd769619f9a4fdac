import type { ModuleRef } from '@nestjs/core';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';

/** Applies macros for batches. Provided by the area of macros, which stands above tickets; without it there are none. */
export abstract class TicketMacros {
  /** Answers the ticket as it is afterwards. @throws ApiError when any of the actions fails, and nothing is done then */
  abstract applyTo(ticketId: number, macroId: number, expected: ExpectedVersions): Promise<SingleResult>;
}

/** The macros of this application; null without their area. Looked up, not injected, for the same reason. */
export function ticketMacros(modules: ModuleRef): TicketMacros | null {
  try {
    return modules.get(TicketMacros, { strict: false });
  } catch {
    return null;
  }
}
