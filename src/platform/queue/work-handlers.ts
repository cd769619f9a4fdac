import { Injectable } from '@nestjs/common';
import type { WorkHandler } from './work-handler';

/** Who does which kind of work on this node. */
@Injectable()
export class WorkHandlers {
  private readonly byKind = new Map<string, WorkHandler>();

  /** @throws when the kind has a handler already */
  register(handler: WorkHandler): void {
    if (this.byKind.has(handler.kind)) throw new Error(`Two handlers for work of kind "${handler.kind}".`);
    this.byKind.set(handler.kind, handler);
  }

  of(kind: string): WorkHandler | undefined {
    return this.byKind.get(kind);
  }

  all(): WorkHandler[] {
    return [...this.byKind.values()];
  }
}
