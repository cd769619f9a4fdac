import { Injectable } from '@nestjs/common';
import type { JobHandler } from './job-handler';

/** Who does which kind of jobs on this node. */
@Injectable()
export class JobHandlers {
  private readonly byKind = new Map<string, JobHandler>();

  /** @throws when the kind has a handler already */
  register(handler: JobHandler): void {
    if (this.byKind.has(handler.kind)) throw new Error(`Two handlers for jobs of kind "${handler.kind}".`);
    this.byKind.set(handler.kind, handler);
  }

  of(kind: string): JobHandler | undefined {
    return this.byKind.get(kind);
  }

  all(): JobHandler[] {
    return [...this.byKind.values()];
  }
}
