import type { Snapshot } from '../engine/objects';

/** The directory cannot be read. The message is one sentence for whoever set it up. */
export class DirectoryUnreadable extends Error {
  override readonly name = 'DirectoryUnreadable';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What was read, and from where the next run can go on. */
export interface Reading {
  snapshot: Snapshot;
  /** Everybody who is known is to be compared again, whatever was read. */
  isAll?: boolean;
  cursor: Record<string, unknown> | null;
}
